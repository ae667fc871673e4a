package gambit.core.replication;

import java.util.SplittableRandom;

/** The faults of a history, all of which end with it: machines, networks, clocks and the log. */
final class Faults {
  private static final int MAX_FAULTS = 5;
  private static final long SECOND = 1_000_000;
  private static final long MAX_CLOCK_CHANGE = 100 * SECOND;

  /** The time for which a server of the log that is cut off answers as if it still led. */
  private static final long MAX_ANSWERS = 3 * SECOND;

  private final Simulation world;
  private final SplittableRandom random;
  private long end;

  Faults(Simulation world) {
    this.world = world;
    this.random = world.random();
  }

  /** Schedules faults. */
  void plan(long endMicros) {
    end = endMicros;
    for (int i = random.nextInt(MAX_FAULTS + 1); i > 0; i--) {
      world.schedule().after(random.nextLong(endMicros), null, () -> begin(machine()));
    }
  }

  /** Often, something happens right after an entry was appended, and before anybody knows it. */
  void appended(SimulatedRelay relay) {
    if (random.nextInt(relay.node().leads() ? 200 : 12) == 0 && relay.isRunning()) {
      world.schedule().after(random.nextInt(200), null, () -> begin(relay.machine()));
    }
  }

  private void begin(SimulatedMachine machine) {
    long now = world.schedule().now();
    long left = Math.max(1, end - now);
    long until = now + 1 + random.nextLong(random.nextBoolean() ? left : Math.min(left, SECOND));
    int kind = random.nextInt(10);
    world.trace(() -> "fault " + kind + " at node " + machine.index() + " until " + until / 1e6);
    switch (kind) {
      case 0, 1 -> kill(machine, until);
      case 2 -> close(machine, until);
      case 3, 4 -> machine.stopUntil(until);
      case 5 -> cut(machine, true, true, until);
      case 6 -> cut(machine, true, false, until);
      case 7 -> cut(machine, false, true, until);
      case 8 -> machine.setClock(random.nextLong(-MAX_CLOCK_CHANGE, MAX_CLOCK_CHANGE));
      default -> {
        world.log().setDown(true);
        world.machines().forEach(it -> it.cutFromLog(true));
        at(
            until,
            () -> {
              world.log().setDown(false);
              world.machines().forEach(it -> it.cutFromLog(false));
            });
      }
    }
  }

  /** Any machine; often that of the leader. */
  private SimulatedMachine machine() {
    if (random.nextBoolean()) {
      for (SimulatedMachine machine : world.machines()) {
        SimulatedRelay relay = machine.relay();
        if (relay != null && relay.node().leads()) {
          return machine;
        }
      }
    }
    return world.machines().get(random.nextInt(world.machines().size()));
  }

  private void kill(SimulatedMachine machine, long until) {
    machine.end();
    at(until, machine::start);
  }

  private void close(SimulatedMachine machine, long until) {
    SimulatedRelay relay = machine.relay();
    if (relay != null) {
      relay.after(0, () -> relay.close(() -> at(until, machine::start)));
    }
  }

  private void cut(SimulatedMachine machine, boolean fromLog, boolean fromBus, long until) {
    if (fromLog) {
      machine.cutFromLogWithItsServer(random.nextInt(2) * random.nextLong(MAX_ANSWERS));
    }
    if (fromBus) {
      machine.cutFromBus(true);
    }
    at(
        until,
        () -> {
          if (fromLog) {
            machine.cutFromLog(false);
          }
          if (fromBus) {
            machine.cutFromBus(false);
          }
        });
  }

  private void at(long micros, Runnable run) {
    world.schedule().after(Math.max(0, micros - world.schedule().now()), null, run);
  }
}
