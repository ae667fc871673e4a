package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When another node takes over, by the clock of a simulation. */
@ExtendWith(SilencedLog.class)
class TakeoverTest {
  private static final int LEADERS = 200;
  private static final double STEP = 0.005;
  private static final double MEDIAN = 0.6;
  private static final double LONGEST = 0.85;

  /** Less than {@link SimulatedRelay#TAKEOVER_AFTER}, less a heartbeat that was due before. */
  private static final double PAUSE = 0.7;

  private final Simulation world = Simulation.quiet();

  private SimulatedMachine awaitLeader() {
    for (int i = 0; i < 100; i++) {
      SimulatedMachine leader =
          world
              .relays()
              .filter(it -> it.node().leads())
              .map(SimulatedRelay::machine)
              .findFirst()
              .orElse(null);
      if (leader != null && world.unrecovered().isEmpty()) {
        return leader;
      }
      world.pass(0.1);
    }
    throw new AssertionError("no node leads");
  }

  @Test
  void aKilledLeaderIsMissedBeforeItWouldBeSilentForLong() {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < LEADERS; i++) {
      SimulatedMachine leader = awaitLeader();
      world.pass(i * STEP % 0.25);
      leader.end();
      double time = 0;
      while (world.relays().noneMatch(it -> it.node().leads())) {
        world.pass(STEP);
        time += STEP;
      }
      times.add(time);
      leader.start();
    }
    Collections.sort(times);
    assertThat(times.get(LEADERS / 2)).as("median").isLessThan(MEDIAN);
    assertThat(times.get(LEADERS - 1)).as("longest").isLessThan(LONGEST);
  }

  @Test
  void aLeaderThatPausesLeadsOn() {
    SimulatedMachine leader = awaitLeader();
    long epoch = world.check().epoch();
    for (int i = 0; i < LEADERS; i++) {
      leader.stopUntil(world.schedule().now() + (long) (PAUSE * 1_000_000));
      world.pass(1 + i * STEP);
    }
    assertThat(world.check().epoch()).isEqualTo(epoch);
    assertThat(awaitLeader()).isSameAs(leader);
  }

  @Test
  void aLeaderWithoutConnectionThatWasHeardMeanwhileLeadsOn() {
    SimulatedMachine leader = awaitLeader();
    long epoch = world.check().epoch();
    long number = leader.relay().number();
    world.relays().forEach(it -> it.node().absent(number));
    world.pass(5);
    assertThat(world.check().epoch()).isEqualTo(epoch);
  }
}
