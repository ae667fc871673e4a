package gambit.chess.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.Termination;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Games of simulated players with every kind of fault and changes of the leader: 80 in one run.
 * {@code -Dgambit.seed=} repeats one run. Only the fifty runs of {@code -Dgambit.long} are certain
 * to see every end of a game.
 */
class SimulationTest {
  private static final int GAMES = TestEffort.of(80, 2_000);
  private static final int PLAYERS = GAMES / 2;
  private static final int WORLDS = TestEffort.of(1, 50);

  /** Seeds that found a bug; {@link SimulationFindingsTest} has the bugs. */
  private static final List<Long> ONCE_FAILED = List.of(56L, 69L);

  @Test
  void invariantsHoldDespiteAllFaults() {
    Set<Termination> seen =
        seeds().parallelStream()
            .flatMap(seed -> run(seed).endings().keySet().stream())
            .collect(Collectors.toSet());
    if (System.getProperty("gambit.seed") == null && TestEffort.isLong()) {
      assertThat(seen).containsAll(EnumSet.allOf(Termination.class));
    }
  }

  @Test
  void sameSeedGivesTheSameRun() {
    assertThat(new Simulation(7, 20, new InjectedBug()).run(15))
        .isEqualTo(new Simulation(7, 20, new InjectedBug()).run(15));
  }

  @ThoroughOnly
  @Test
  void leaderChangesDuringTheRunAndPlayersHaveSeveralGamesAtOnce() {
    int players = TestEffort.of(100, 300);
    int games = TestEffort.of(60, 200);
    Simulation.Outcome outcome = new Simulation(7, players, new InjectedBug()).run(games);
    assertThat(outcome.takeovers()).isGreaterThan(10);
    assertThat(outcome.mostGamesOfAPlayer()).isEqualTo(6);
    assertThat(outcome.mostSlowGamesOfAPlayer()).isGreaterThan(1);
    assertThat(outcome.ratedGames()).isGreaterThan(10);
  }

  private static List<Long> seeds() {
    Long given = Long.getLong("gambit.seed");
    if (given != null) {
      return List.of(given);
    }
    List<Long> seeds =
        new ArrayList<>(ONCE_FAILED.subList(0, Math.min(WORLDS / 2, ONCE_FAILED.size())));
    Random random = new Random();
    while (seeds.size() < WORLDS) {
      seeds.add(random.nextLong());
    }
    return seeds;
  }

  private static Simulation.Outcome run(long seed) {
    try {
      return new Simulation(seed, PLAYERS, new InjectedBug()).run(GAMES);
    } catch (Violation | RuntimeException e) {
      throw new AssertionError(
          "Again: mvn -ntp test -pl relay-core,relay-chess -Dtest=SimulationTest"
              + (TestEffort.isLong() ? " -Dgambit.long=true" : "")
              + " -Dsurefire.failIfNoSpecifiedTests=false -Dgambit.seed="
              + seed,
          e);
    }
  }
}
