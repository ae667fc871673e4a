package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.command.cluster.Faults.Fault;
import gambit.app.command.cluster.RegisterHistory.Operation;
import gambit.app.command.cluster.RegisterHistory.Type;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replaceable events as registers, written and read at all nodes while the leader changes, and
 * checked with Porcupine. A read that follows an accepted event of the same node is linearizable
 * together with all writes; any read is, together with what the clients of its node do.
 */
@ThoroughOnly
class RegisterIT {
  private static final int FAULTS = TestEffort.of(2, 300);
  private static final List<Fault> CHANGES_OF_LEADER =
      List.of(
          Fault.LEADER_KILLED,
          Fault.LEADER_STOPPED,
          Fault.LEADER_TERMINATED,
          Fault.LEADER_CUT_OFF,
          Fault.LEADING_SERVER_KILLED);
  private static final List<Type> CLIENTS_OF_A_NODE =
      List.of(Type.WRITE, Type.WRITE, Type.READ, Type.READ, Type.SYNCED_READ);

  /** At least, of each type. */
  private static final int OPERATIONS_PER_FAULT = 10;

  @TempDir Path temp;

  @Test
  void readsAreLinearizableAtTheirNodeAndAfterAnAcceptedEventInTheWholeCluster() throws Exception {
    long seed = Long.getLong("gambit.seed", new Random().nextLong());
    System.out.println("The seed is " + seed);
    Random random = new Random(seed);
    Porcupine porcupine = Porcupine.build(temp);
    Violations violations = new Violations();
    RegisterClient.Shared shared = new RegisterClient.Shared(violations);
    try (RealCluster cluster = RealCluster.start(temp)) {
      List<Thread> threads = start(cluster, shared, violations, random);
      Faults faults = new Faults(cluster, random);
      for (int i = 0; i < FAULTS; i++) {
        faults.happen(faults.any(CHANGES_OF_LEADER), false);
      }
      await("enough operations").until(() -> isEnough(shared.history()));
      shared.end();
      violations.join(threads.stream());
      System.out.println(faults.summary());
      faults.checkTimes();
    }
    violations.check();
    check(shared.history(), porcupine);
  }

  /**
   * Whether enough of each was done to say something, and some of it at each node. A fault may be
   * over after less.
   */
  private static boolean isEnough(RegisterHistory history) {
    List<Operation> operations = history.operations();
    for (Type type : Type.values()) {
      Map<Integer, Long> answered =
          operations.stream()
              .filter(it -> it.type() == type && it.end() != RegisterHistory.OPEN)
              .collect(Collectors.groupingBy(Operation::node, Collectors.counting()));
      long count = answered.values().stream().mapToLong(it -> it).sum();
      if (answered.size() < 3 || count <= FAULTS * OPERATIONS_PER_FAULT) {
        return false;
      }
    }
    return operations.stream().anyMatch(it -> isSyncedAfterAWrite(it, operations));
  }

  private static boolean isSyncedAfterAWrite(Operation read, List<Operation> operations) {
    return read.type() == Type.SYNCED_READ
        && operations.stream().anyMatch(it -> isBefore(it, read));
  }

  private static List<Thread> start(
      RealCluster cluster, RegisterClient.Shared shared, Violations violations, Random random) {
    List<Thread> threads = new ArrayList<>();
    for (int node = 0; node < cluster.nodes().size(); node++) {
      for (Type type : CLIENTS_OF_A_NODE) {
        RegisterClient client =
            new RegisterClient(
                shared, cluster.nodes().get(node), node, threads.size(), type, random.nextLong());
        threads.add(violations.start("register " + threads.size(), client::run));
      }
    }
    return threads;
  }

  private static void check(RegisterHistory history, Porcupine porcupine) throws Exception {
    Porcupine.Result all = porcupine.check(history.ofAllNodes(Type.SYNCED_READ));
    System.out.println("Synced reads: " + all.report());
    assertThat(all.isLinearizable()).as(all.report()).isTrue();
    for (int node = 0; node < 3; node++) {
      Porcupine.Result own = porcupine.check(history.ofNode(node));
      System.out.println("Node " + node + ": " + own.report());
      assertThat(own.isLinearizable()).as(own.report()).isTrue();
    }
    long stale =
        porcupine
            .check(history.ofAllNodes(Type.READ))
            .report()
            .lines()
            .filter(it -> it.startsWith("not linearizable"))
            .count();
    System.out.println("With other reads, " + stale + " registers are not linearizable");
    Porcupine.Result broken = porcupine.check(broken(history).ofAllNodes(Type.SYNCED_READ));
    assertThat(broken.isLinearizable()).as("a history with a stale read").isFalse();
  }

  /** The history, with a read that finds nothing, although a write was acknowledged before it. */
  private static RegisterHistory broken(RegisterHistory history) {
    RegisterHistory broken = new RegisterHistory();
    boolean isBroken = false;
    for (Operation each : history.operations()) {
      boolean isChosen = !isBroken && isSyncedAfterAWrite(each, history.operations());
      isBroken |= isChosen;
      broken.add(
          isChosen
              ? new Operation(
                  each.node(),
                  each.client(),
                  each.type(),
                  each.register(),
                  each.call(),
                  each.end(),
                  RegisterHistory.Version.NONE,
                  null)
              : each);
    }
    assertThat(isBroken).isTrue();
    return broken;
  }

  private static boolean isBefore(Operation write, Operation read) {
    return write.register() == read.register()
        && write.type() == Type.WRITE
        && "stored".equals(write.outcome())
        && write.end() < read.call();
  }
}
