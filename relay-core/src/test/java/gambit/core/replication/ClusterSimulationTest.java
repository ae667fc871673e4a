package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.TestEffort;
import gambit.core.testkit.UnexpectedLogEvents;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random histories of a cluster with faults: 250, and a million with {@code -Dgambit.long=true}.
 * {@code -Dgambit.seed=} repeats one.
 */
@ExtendWith(SilencedLog.class)
class ClusterSimulationTest {
  private static final int HISTORIES = TestEffort.of(250, 1_000_000);

  @Test
  void invariantsHoldDespiteAllFaults() {
    Long given = Long.getLong("gambit.seed");
    if (given != null) {
      run(given);
      return;
    }
    Random seeds = new Random();
    long takeovers = 0;
    long moves = 0;
    long accepted = 0;
    long delivered = 0;
    for (int i = 0; i < HISTORIES; i++) {
      Simulation.Outcome outcome = run(seeds.nextLong());
      takeovers += outcome.takeovers();
      moves += outcome.moves();
      accepted += outcome.accepted();
      delivered += outcome.delivered();
    }
    // Two thirds of what a history has on the average: enough happened to break an invariant.
    assertThat(takeovers / (double) HISTORIES).as("takeovers").isGreaterThan(1.3);
    assertThat(moves / (double) HISTORIES).as("moves").isGreaterThan(6.5);
    assertThat(accepted / (double) HISTORIES).as("events accepted").isGreaterThan(26);
    assertThat(delivered / (double) HISTORIES).as("events delivered").isGreaterThan(33);
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
