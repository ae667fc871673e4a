package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.server.nats.NatsServers.Server;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Does something bad to a cluster, waits until all nodes accept events again, and records how long
 * that took. One thread.
 */
final class Faults {
  private static final Duration RECOVERY = Duration.ofMinutes(2);

  /** From a kill of the leader to verdicts, if NATS is whole. */
  private static final Duration TAKEOVER = Duration.ofSeconds(5);

  /** From SIGTERM of the leader to verdicts: less than its silence would be noticed after. */
  private static final Duration HANDOVER = Duration.ofSeconds(2);

  /** From a kill of the NATS server that leads the log to an appended entry. */
  private static final Duration ELECTION = Duration.ofSeconds(10);

  /** By how much a machine with other suites may be slower. */
  private static final int BUSY_FACTOR = 3;

  /** The load of a processor beyond which times say nothing. */
  private static final double MOST_LOAD = 3;

  /** Fewer times have no median that means something. */
  private static final int LEAST_TIMES = 10;

  private static final int LONGEST_STOP_MILLIS = 20_000;

  /** Without effect on heartbeats and connections, and with. */
  private static final int SHORT_STOP_MILLIS = 1_500;

  private static final int STOP_MILLIS = 5_000;

  /** After a longer absence of the leader, another node leads. */
  private static final int TAKEOVER_MILLIS = 4_000;

  /** What may happen. */
  enum Fault {
    LEADER_KILLED(6),
    LEADER_STOPPED(5),
    LEADER_CUT_OFF(5),
    LEADER_TERMINATED(4),
    FOLLOWER_KILLED(3),
    FOLLOWER_STOPPED(2),
    FOLLOWER_CUT_OFF(2),
    /** The NATS server that leads the log. */
    LEADING_SERVER_KILLED(2),
    /** Another NATS server. */
    SERVER_KILLED(3),
    SERVER_STOPPED(3),
    SERVER_CUT_OFF(3),
    /** The leader, and the NATS server that leads the log. */
    MACHINES_KILLED(2);

    private final int weight;

    Fault(int weight) {
      this.weight = weight;
    }

    private boolean isCut() {
      return name().endsWith("_CUT_OFF");
    }
  }

  private final RealCluster cluster;
  private final Random random;
  private final Map<Fault, List<Time>> times = new EnumMap<>(Fault.class);

  /** How long it took until verdicts came again, and whether the machine was able to. */
  private record Time(long millis, boolean isOverloaded) {
    @Override
    public String toString() {
      return isOverloaded ? "(" + millis + ")" : "" + millis;
    }
  }

  Faults(RealCluster cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
  }

  /** A fault by chance, of those that can happen here; the leader is affected most often. */
  Fault any() {
    return any(List.of(Fault.values()));
  }

  /** One of these faults by chance, if it can happen here. */
  Fault any(List<Fault> some) {
    boolean canCut = cluster.network().reasonWithoutCuts().isEmpty();
    List<Fault> possible =
        some.stream()
            .filter(it -> canCut || !it.isCut())
            .flatMap(it -> Collections.nCopies(it.weight, it).stream())
            .toList();
    return possible.get(random.nextInt(possible.size()));
  }

  /**
   * Makes a fault happen, and waits until it is over.
   *
   * @param isLong whether a stop takes 20 seconds
   */
  void happen(Fault fault, boolean isLong) {
    awaitWhole();
    RelayNode leader =
        await("a node leads").atMost(RECOVERY).until(cluster::leader, Optional::isPresent).get();
    List<RelayNode> followers = cluster.nodes().stream().filter(it -> it != leader).toList();
    RelayNode follower = followers.get(random.nextInt(followers.size()));
    Server server = cluster.nats().server(random.nextInt(3));
    Server leading =
        cluster
            .nats()
            .named(
                await("a server leads the log")
                    .atMost(RECOVERY)
                    .until(cluster::leadingServer, Optional::isPresent)
                    .get());
    long start = System.nanoTime();
    long stop = isLong ? LONGEST_STOP_MILLIS : stopMillis();
    switch (fault) {
      case LEADER_KILLED -> restart(leader, followers, start, fault);
      case LEADER_TERMINATED -> {
        leader.terminate();
        record(fault, Probe.awaitVerdicts(followers, start, RECOVERY));
        leader.awaitEnd();
        leader.start();
        leader.awaitStart();
      }
      case FOLLOWER_KILLED -> restart(follower, others(follower), start, fault);
      case LEADER_STOPPED -> {
        leader.suspend();
        recordTakeover(fault, followers, start, stop);
        sleepUntil(start, stop);
        leader.resume();
      }
      case FOLLOWER_STOPPED -> {
        follower.suspend();
        sleepUntil(start, stop);
        follower.resume();
      }
      case LEADER_CUT_OFF -> {
        cluster.network().setConnected(leader.name(), false);
        recordTakeover(fault, followers, start, stop);
        sleepUntil(start, stop);
        cluster.network().setConnected(leader.name(), true);
      }
      case FOLLOWER_CUT_OFF -> cut(follower.name(), start, stop);
      case SERVER_CUT_OFF -> cut(server.name(), start, stop);
      case LEADING_SERVER_KILLED -> restart(leading, start, fault);
      case SERVER_KILLED -> restart(other(leading), start, fault);
      case SERVER_STOPPED -> {
        server.suspend();
        sleepUntil(start, stop);
        server.resume();
      }
      case MACHINES_KILLED -> {
        leader.kill();
        leading.kill();
        record(fault, Probe.awaitVerdicts(followers, start, RECOVERY));
        leading.start();
        leader.start();
        leader.awaitStart();
      }
      default -> throw new AssertionError(fault);
    }
    Duration all = Probe.awaitVerdicts(cluster.nodes(), start, RECOVERY);
    System.out.printf(
        "%s: leader %s, log at %s, %d ms; all nodes accept events after %d ms%n",
        fault,
        leader.name(),
        leading.name(),
        times.containsKey(fault) ? last(fault) : stop,
        all.toMillis());
  }

  private long last(Fault fault) {
    List<Time> all = times.get(fault);
    return all.get(all.size() - 1).millis();
  }

  private Server other(Server leading) {
    List<Server> others = cluster.nats().all().stream().filter(it -> it != leading).toList();
    return others.get(random.nextInt(others.size()));
  }

  private long stopMillis() {
    return random.nextInt(4) > 0
        ? SHORT_STOP_MILLIS - random.nextInt(1_000)
        : STOP_MILLIS - random.nextInt(1_500);
  }

  private List<RelayNode> others(RelayNode node) {
    return cluster.nodes().stream().filter(it -> it != node).toList();
  }

  private void restart(RelayNode node, List<RelayNode> others, long start, Fault fault) {
    node.kill();
    node.start();
    record(fault, Probe.awaitVerdicts(others, start, RECOVERY));
    node.awaitStart();
  }

  private void restart(Server server, long start, Fault fault) {
    server.kill();
    record(fault, Probe.awaitVerdicts(cluster.nodes(), start, RECOVERY));
    server.start();
  }

  /** If the leader is away for long enough, another node leads before it comes back. */
  private void recordTakeover(Fault fault, List<RelayNode> followers, long start, long stop) {
    if (stop > TAKEOVER_MILLIS) {
      record(fault, Probe.awaitVerdicts(followers, start, RECOVERY));
    }
  }

  private void cut(String host, long start, long stop) {
    cluster.network().setConnected(host, false);
    sleepUntil(start, stop);
    cluster.network().setConnected(host, true);
  }

  private static boolean isOverloaded() {
    OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
    return machine.getSystemLoadAverage() / machine.getAvailableProcessors() > MOST_LOAD;
  }

  private void record(Fault fault, Duration time) {
    times
        .computeIfAbsent(fault, it -> new ArrayList<>())
        .add(new Time(time.toMillis(), isOverloaded()));
  }

  private static void sleepUntil(long start, long millis) {
    try {
      TimeUnit.NANOSECONDS.sleep(start + millis * 1_000_000 - System.nanoTime());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until NATS is whole, all relays run, and one of them leads. */
  void awaitWhole() {
    await("NATS is whole").atMost(RECOVERY).until(cluster::isNatsWhole);
    await("a node leads").atMost(RECOVERY).until(() -> cluster.leader().isPresent());
    for (RelayNode node : cluster.nodes()) {
      assertThat(node.isRunning()).as("%s runs", node.name()).isTrue();
    }
  }

  /** The times of a kind of fault, while the machine was able to do more, in milliseconds. */
  private List<Long> measured(Fault fault) {
    return times.get(fault).stream()
        .filter(it -> !it.isOverloaded())
        .map(Time::millis)
        .sorted()
        .toList();
  }

  /** In which time, as the median, verdicts come again. */
  private static Duration limit(Fault fault) {
    return switch (fault) {
      case LEADER_TERMINATED -> HANDOVER;
      case LEADING_SERVER_KILLED, MACHINES_KILLED, SERVER_KILLED -> ELECTION.plus(TAKEOVER);
      default -> TAKEOVER;
    };
  }

  /**
   * Checks how long no events were accepted, as far as this machine did not have far too much to do
   * with other suites. If a NATS server is killed that leads a group of NATS, such as the log, the
   * others wait for 4 to 9 seconds, which is fixed in NATS, before they elect another one.
   */
  void checkTimes() {
    for (Fault each : times.keySet()) {
      List<Long> millis = measured(each);
      if (millis.size() >= LEAST_TIMES) {
        assertThat(millis.get((millis.size() - 1) / 2))
            .as("median of %s: %s", each, millis)
            .isLessThanOrEqualTo(limit(each).toMillis());
        assertThat(millis.get(millis.size() - 1))
            .as("longest of %s: %s", each, millis)
            .isLessThanOrEqualTo(limit(each).multipliedBy(BUSY_FACTOR).toMillis());
      }
    }
  }

  /**
   * The times until verdicts came again, for people; in brackets those of an overloaded machine.
   */
  String summary() {
    return times.entrySet().stream()
        .map(it -> it.getKey() + " " + it.getValue())
        .collect(Collectors.joining(", ", "verdicts after (ms): ", ""));
  }
}
