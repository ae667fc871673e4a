package gambit.core.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A history of three nodes with clients, faults and a seed that decides everything. One thread. A
 * writer that waits for the log lets all others go on meanwhile.
 */
final class Simulation {
  private static final int NODES = 3;
  private static final int MAX_CLIENTS = 6;
  private static final long SECOND = 1_000_000;

  /** The time in which the cluster must recover once all faults have ended. */
  private static final long RECOVERY_MICROS = 20 * SECOND;

  private static final @Nullable String TRACED = System.getProperty("gambit.trace");

  private final SplittableRandom random;
  private final Defect defect;
  private final Schedule schedule = new Schedule();
  private final LogCheck check = new LogCheck(this);
  private final RecoveryCheck recovery = new RecoveryCheck(this, check);
  private final SimulatedLog log;
  private final SimulatedBus bus;
  private final List<SimulatedMachine> machines = new ArrayList<>();
  private final List<SimulatedClient> clients = new ArrayList<>();
  private final Faults faults;
  private final List<SimulatedCommit> commits = new ArrayList<>();
  private boolean hasStates;
  private boolean isCalm;
  private int connections;

  Simulation(long seed, Defect defect) {
    this.random = new SplittableRandom(seed);
    this.defect = defect;
    this.log = new SimulatedLog(this, random, check);
    this.bus = new SimulatedBus(this, random);
    this.faults = new Faults(this);
    this.hasStates = random.nextInt(4) == 0;
    boolean haveOwnTimes = random.nextBoolean();
    for (int i = 0; i < NODES; i++) {
      long ahead = haveOwnTimes ? random.nextLong(20 * SECOND) : 0;
      machines.add(new SimulatedMachine(this, i, ahead));
    }
    for (int i = random.nextInt(MAX_CLIENTS); i >= 0; i--) {
      clients.add(new SimulatedClient(this, i));
    }
  }

  /** A cluster without faults and clients of its own, whose three relays start at once. */
  static Simulation quiet() {
    return quiet(Defect.NONE);
  }

  static Simulation quiet(Defect defect) {
    Simulation world = new Simulation(1, defect);
    world.calm();
    world.hasStates = true;
    world.clients.clear();
    world.machines.forEach(SimulatedMachine::start);
    world.lookAround();
    return world;
  }

  /** Adds a client that does nothing by itself, connected to a machine. */
  SimulatedClient connect(SimulatedMachine machine) {
    SimulatedClient client = new SimulatedClient(this, clients.size());
    clients.add(client);
    client.connect(machine);
    pass(0.1);
    return client;
  }

  /** Lets some seconds pass. */
  void pass(double seconds) {
    schedule.runUntil(schedule.now() + (long) (seconds * SECOND));
  }

  /**
   * What a history was like.
   *
   * @param steps the number of its steps
   * @param entries the entries of the log at its end
   * @param takeovers how often a node took over
   * @param moves the moves of the game
   * @param accepted the events that clients have heard to be accepted
   * @param delivered the live events that subscriptions have got
   * @param micros its length, in microseconds of simulated time
   */
  record Outcome(
      long steps,
      int entries,
      long takeovers,
      int moves,
      long accepted,
      long delivered,
      long micros) {}

  /**
   * Runs the history until the cluster has recovered from all faults.
   *
   * @throws Violation when an invariant is broken
   */
  Outcome run() {
    machines.forEach(it -> schedule.after(random.nextLong(SECOND), null, it::start));
    clients.forEach(it -> schedule.after(random.nextLong(SECOND), null, it::act));
    lookAround();
    long end = 2 * SECOND + random.nextLong((random.nextInt(6) == 0 ? 10 : 4) * SECOND);
    faults.plan(end);
    schedule.runUntil(end);
    long recovered = recover();
    recovery.compareNodes();
    return new Outcome(
        schedule.done(),
        log.size(),
        check.epoch(),
        check.moves(),
        check.accepted(),
        check.delivered(),
        recovered);
  }

  /** Looks whether nodes are as they are to be while nothing happens to them. */
  private void lookAround() {
    machines.stream()
        .map(SimulatedMachine::relay)
        .filter(it -> it != null && it.machine().stoppedUntil() + 500_000 < schedule.now())
        .forEach(check::lookAt);
    schedule.after(100_000, null, this::lookAround);
  }

  private long recover() {
    calm();
    long until = schedule.now() + RECOVERY_MICROS;
    Optional<String> unrecovered = unrecovered();
    while (unrecovered.isPresent() && schedule.now() < until) {
      schedule.runUntil(schedule.now() + 100_000);
      unrecovered = unrecovered();
    }
    if (unrecovered.isPresent()) {
      throw new Violation(Invariant.CLUSTER_RECOVERS, unrecovered.get());
    }
    return schedule.now();
  }

  private void calm() {
    isCalm = true;
    log.calm();
    bus.calm();
  }

  /** Why the cluster has not recovered from all faults; empty if it has. */
  Optional<String> unrecovered() {
    return recovery
        .unrecovered()
        .or(() -> commits.stream().flatMap(it -> it.unrecovered().stream()).findFirst());
  }

  SplittableRandom random() {
    return random;
  }

  Defect defect() {
    return defect;
  }

  Schedule schedule() {
    return schedule;
  }

  LogCheck check() {
    return check;
  }

  SimulatedLog log() {
    return log;
  }

  SimulatedBus bus() {
    return bus;
  }

  List<SimulatedMachine> machines() {
    return machines;
  }

  List<SimulatedClient> clients() {
    return clients;
  }

  Faults faults() {
    return faults;
  }

  void add(SimulatedCommit commit) {
    commits.add(commit);
  }

  /** Whether the game has a current state, whose signatures take time. */
  boolean hasStates() {
    return hasStates;
  }

  /** Whether all faults have ended, and clients only finish what they have begun. */
  boolean isCalm() {
    return isCalm;
  }

  /** The number of a node, which it chooses by chance. */
  long nextNumber() {
    return 1 + random.nextLong(Long.MAX_VALUE - 1);
  }

  int nextConnection() {
    return ++connections;
  }

  int nextCommit() {
    return commits.size() + 1;
  }

  /** Prints what happens, if it contains {@code -Dgambit.trace=}. */
  void trace(Supplier<String> text) {
    if (TRACED != null) {
      String line = text.get();
      if (line.contains(TRACED)) {
        System.out.printf("%.6f %s%n", schedule.now() / 1e6, line);
      }
    }
  }

  /** All running relays. */
  Stream<SimulatedRelay> relays() {
    return machines.stream().map(SimulatedMachine::relay).filter(it -> it != null);
  }
}
