package gambit.core.replication;

import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.testkit.MemoryEventStore;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks the end of a history, when all faults have ended: {@link Invariant#CLUSTER_RECOVERS}. */
final class RecoveryCheck {
  private static final List<String> TABLES =
      List.of(
          ClusterRow.TABLE,
          CounterGame.TABLE,
          LogCheck.COMMITS,
          "deleted",
          "deleted addresses",
          "vanished");
  private static final Filter STATES =
      new Filter(null, null, Set.of(SimulatedEvents.STATE), Map.of(), null, null, null);
  private static final Filter EVERYTHING = new Filter(null, null, null, Map.of(), null, null, null);

  private final Simulation world;
  private final LogCheck log;

  RecoveryCheck(Simulation world, LogCheck log) {
    this.world = world;
    this.log = log;
  }

  /** Why the cluster has not recovered yet. */
  Optional<String> unrecovered() {
    int leaders = 0;
    for (SimulatedMachine machine : world.machines()) {
      SimulatedRelay relay = machine.relay();
      if (relay == null) {
        return Optional.of(machine.index() + " does not run");
      }
      NodeState state = relay.node().state();
      leaders += state.leads() ? 1 : 0;
      if (state.applied() != log.entries() || state.epoch() != log.epoch()) {
        return Optional.of(relay + " has not applied everything");
      }
      if (state.healthObjection().isPresent()) {
        return Optional.of(relay + ": " + state.healthObjection().get());
      }
      if (world.hasStates() && !hasState(relay)) {
        return Optional.of(relay + " does not have the current state");
      }
      if (relay.game().openFences() > 0 && state.leads()) {
        return Optional.of(relay + " waits for other nodes");
      }
      if (relay.node().waiting() > 0) {
        return Optional.of(relay + " waits for its leader");
      }
      for (SimulatedConnection connection : relay.connections()) {
        if (!connection.unanswered().isEmpty()) {
          return Optional.of(connection + " waits for a verdict");
        }
        for (SimulatedSubscription subscription : connection.subscriptions()) {
          if (subscription.lacksEvents()) {
            return Optional.of(subscription + " lacks events");
          }
        }
      }
    }
    if (leaders != 1) {
      return Optional.of(leaders + " nodes lead");
    }
    return world.clients().stream().flatMap(client -> client.unrecovered().stream()).findFirst();
  }

  /** All nodes have the same events and rows. */
  void compareNodes() {
    for (SimulatedMachine machine : world.machines()) {
      MemoryEventStore disk = machine.disk();
      LogCheck.require(
          contents(disk).equals(contents(log.copy())),
          Invariant.NODES_HAVE_THE_SAME_LOG,
          "node %d has other events or rows than the shared log",
          machine.index());
    }
  }

  /** Whether a node has the current state of the game. */
  private boolean hasState(SimulatedRelay relay) {
    List<Integer> counts = new ArrayList<>();
    relay
        .live()
        .currentStates(
            Set.of(),
            List.of(STATES),
            states ->
                states.get(0).forEach(it -> counts.add(LogCheck.count(it.event().unsigned()))));
    while (relay.live().runNext()) {
      // what it has, then this
    }
    return counts.equals(log.moves() == 0 ? List.of() : List.of(log.moves()));
  }

  private static List<Object> contents(MemoryEventStore store) {
    List<Object> contents = new ArrayList<>();
    Query query = store.query(EVERYTHING, Long.MAX_VALUE);
    Page page;
    do {
      page = query.next(Integer.MAX_VALUE, Integer.MAX_VALUE);
      contents.addAll(page.found());
    } while (!page.isLast());
    TABLES.forEach(table -> rows(store, table).forEach(contents::add));
    return contents;
  }

  private static Stream<Object> rows(MemoryEventStore store, String table) {
    return store.rows(table).entrySet().stream()
        .map(row -> table + " " + row.getKey() + " " + HexFormat.of().formatHex(row.getValue()));
  }
}
