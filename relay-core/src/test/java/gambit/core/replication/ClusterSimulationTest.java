package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.TestEffort;
import gambit.core.testkit.UnexpectedLogEvents;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random histories of a cluster with faults: 150, and a million with {@code -Dgambit.long=true};
 * the first 50 are the same in every build. {@code -Dgambit.seed=} repeats one.
 */
@ExtendWith(SilencedLog.class)
class ClusterSimulationTest {
  private static final int HISTORIES = TestEffort.of(150, 1_000_000);
  private static final int KNOWN_HISTORIES = 50;

  @Test
  void invariantsHoldDespiteAllFaults() {
    Long given = Long.getLong("gambit.seed");
    if (given != null) {
      run(given);
      return;
    }
    double takeovers = 0;
    double moves = 0;
    double accepted = 0;
    double delivered = 0;
    for (int seed = 0; seed < KNOWN_HISTORIES; seed++) {
      Simulation.Outcome outcome = run(seed);
      takeovers += outcome.takeovers();
      moves += outcome.moves();
      accepted += outcome.accepted();
      delivered += outcome.delivered();
    }
    // Two thirds of what a history has on the average: enough happened to break an invariant.
    assertThat(takeovers / KNOWN_HISTORIES).as("takeovers").isGreaterThan(1.3);
    assertThat(moves / KNOWN_HISTORIES).as("moves").isGreaterThan(6.5);
    assertThat(accepted / KNOWN_HISTORIES).as("events accepted").isGreaterThan(26);
    assertThat(delivered / KNOWN_HISTORIES).as("events delivered").isGreaterThan(33);
    new Random().longs(HISTORIES - KNOWN_HISTORIES).forEach(ClusterSimulationTest::run);
  }

  private static Simulation.Outcome run(long seed) {
    try (UnexpectedLogEvents log = UnexpectedLogEvents.ofThisThread()) {
      Simulation.Outcome outcome = new Simulation(seed, Defect.NONE).run();
      log.requireNone();
      return outcome;
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "Again: mvn -ntp test -pl relay-core -Dtest=ClusterSimulationTest -Dgambit.seed=" + seed,
          e);
    }
  }

  @Test
  void sameSeedGivesTheSameHistory() {
    assertThat(new Simulation(7, Defect.NONE).run())
        .isEqualTo(new Simulation(7, Defect.NONE).run());
  }
}
