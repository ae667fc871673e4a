package gambit.chess.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Thousands of games in which everything goes wrong that can, and nothing does that must not. */
class SimulationTest {

  @Test
  void everythingGoesWrongAndNothingIsWrong() {
    long seed = Long.getLong("gambit.seed", new Random().nextLong());
    try {
      long t = System.nanoTime();
      Simulation.Outcome outcome =
          new Simulation(seed, 1000, new Sabotage()).run(Integer.getInteger("gambit.games", 1000));
      System.out.println(outcome + " " + (System.nanoTime() - t) / 1_000_000);
      assertThat(outcome.answers()).isPositive();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }
}
