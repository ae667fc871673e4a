package gambit.core.replication;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.replication.SimulatedSubscription.Expected;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.EventStore.AppliedGroup.RowName;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.StoredEvent;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.wire.RelayMessage.Ok;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares what nodes and clients of a simulation see with the shared log, of which it has a copy:
 * a check for each {@link Invariant}.
 */
final class LogCheck {
  /** Row: number of a commit of a feature → nothing. */
  static final String COMMITS = "commits";

  private static final String CONTENT = "\"content\":\"";

  /** The time after which a node without the log refuses events. */
  private static final long DOUBT_MICROS = NodeState.DOUBT.toMillis() * 1_000;

  /** The age of data that no query may show, with the time between two looks at the clock. */
  private static final long MAX_AGE_MICROS =
      SimulatedRelay.MAX_STALENESS.plus(ClusterNode.TICK).toMillis() * 1_000 + 10_000;

  private final Simulation world;
  private final MemoryEventStore copy = new MemoryEventStore(1L << 30);
  private final List<LogEnd> ends = new ArrayList<>(); // after each entry
  private final List<StoredEvent> added = new ArrayList<>(); // all events, in order
  private final Map<EventId, Long> lastAddition = new HashMap<>(); // the number of its entry
  private final Map<Integer, EventId> moves = new HashMap<>();
  private final Map<EventId, Integer> published = new HashMap<>(); // how often
  private final Map<EventId, Integer> handled = new HashMap<>(); // by the current leader
  private final Set<String> commits = new HashSet<>();
  private long epoch;
  private long leader;
  private long accepted; // verdicts that clients have heard
  private long delivered; // events that subscriptions have got live

  LogCheck(Simulation world) {
    this.world = world;
  }

  static void require(boolean condition, Invariant invariant, String text, Object... arguments) {
    if (!condition) {
      throw new Violation(invariant, String.format(text, arguments));
    }
  }

  // ---- the shared log

  /** An entry is appended; its writer has expected that number to be the last one. */
  void appended(long expectedLast, byte[] encoded) {
    Entry entry = Entry.decode(encoded);
    LogGroup group = entry.group();
    long number = ends.size() + 1L;
    require(
        expectedLast == number - 1 && group.sequence() == number,
        Invariant.LOG_IS_THE_ONLY_ARBITER,
        "entry %d is appended after %d as %d",
        number,
        expectedLast,
        group.sequence());
    require(
        entry.epoch() == epoch ? entry.leader() == leader : entry.epoch() == epoch + 1,
        Invariant.DEPOSED_LEADER_IS_SILENT,
        "entry %d is of epoch %d of node %d, and epoch %d is of node %d",
        number,
        entry.epoch(),
        entry.leader(),
        epoch,
        leader);
    int before = ends.isEmpty() ? 0 : ends.get(ends.size() - 1).checksum();
    require(
        entry.previousChecksum() == before,
        Invariant.NODES_HAVE_THE_SAME_LOG,
        "entry %d does not follow the one before it",
        number);
    if (entry.epoch() > epoch) {
      epoch = entry.epoch();
      leader = entry.leader();
      handled.clear();
      world.trace(() -> "epoch " + epoch + " of " + nameOf(leader) + ", entry " + number);
    } else {
      world.trace(() -> "entry " + number);
    }
    for (AppliedGroup applied : copy.apply(List.of(group))) {
      for (StoredEvent event : applied.added()) {
        added.add(event);
        lastAddition.put(event.event().id(), number);
      }
      applied.rows().forEach(row -> checkRow(row, number));
    }
    ends.add(copy.logEnd());
  }

  private String nameOf(long number) {
    return world.machines().stream()
        .filter(it -> it.relay() != null && it.relay().number() == number)
        .map(it -> "node " + it.index())
        .findFirst()
        .orElse("a former node");
  }

  private void checkRow(RowName row, long entry) {
    if (row.table().equals(CounterGame.TABLE)) {
      int number = ByteBuffer.wrap(row.key()).getInt();
      EventId id = new EventId(copy.row(row.table(), row.key()).orElseThrow());
      require(
          number == moves.size() + 1 && !moves.containsValue(id),
          Invariant.GAMES_DO_NOT_FORK,
          "entry %d has move %d after %d moves",
          entry,
          number,
          moves.size());
      moves.put(number, id);
    } else if (row.table().equals(COMMITS)) {
      require(
          commits.add(HexFormat.of().formatHex(row.key())),
          Invariant.EXACTLY_ONCE_AND_IN_ORDER,
          "entry %d repeats a commit",
          entry);
    }
  }

  /** Whether the log has a feature's commit. */
  boolean hasCommit(byte[] key) {
    return commits.contains(HexFormat.of().formatHex(key));
  }

  // ---- nodes

  /** A node's writer has run. */
  void wrote(SimulatedRelay relay) {
    LogEnd end = relay.store().logEnd();
    int number = (int) end.sequence();
    require(
        number <= ends.size(),
        isDeposed(relay) ? Invariant.DEPOSED_LEADER_IS_SILENT : Invariant.OK_MEANS_STORED,
        "%s has committed group %d, and the shared log ends at %d",
        relay,
        number,
        ends.size());
    require(
        number == 0 || ends.get(number - 1).equals(end),
        isDeposed(relay) ? Invariant.DEPOSED_LEADER_IS_SILENT : Invariant.NODES_HAVE_THE_SAME_LOG,
        "group %d of %s differs from the shared log",
        number,
        relay);
  }

  /** The leader handles an event of the game. */
  void handled(SimulatedRelay relay, Event event) {
    world.trace(() -> relay + " handles " + event.id());
    if (relay.number() == leader) {
      int times = handled.merge(event.id(), 1, Integer::sum);
      require(
          times <= published.getOrDefault(event.id(), 0),
          Invariant.EXACTLY_ONCE_AND_IN_ORDER,
          "%s handles an event %d times that was published %d times",
          relay,
          times,
          published.get(event.id()));
    }
  }

  /** A node has for some time had no clients if it has lost the log. */
  void lookAt(SimulatedRelay relay) {
    long lost = relay.machine().unreachableMicros();
    require(
        relay.machine().unansweredMicros() <= DOUBT_MICROS
            || relay.node().state().healthObjection().isPresent(),
        Invariant.CUT_OFF_NODE_DOES_NOT_PRETEND,
        "%s has lost the log for %d µs and is ready",
        relay,
        lost);
    require(
        lost <= MAX_AGE_MICROS || relay.connections().isEmpty(),
        Invariant.CUT_OFF_NODE_DOES_NOT_PRETEND,
        "%s has lost the log for %d µs and has clients",
        relay,
        lost);
  }

  /** A node reads stored events for a client. */
  void queried(SimulatedRelay relay) {
    long sequence = relay.store().logEnd().sequence();
    if (sequence < ends.size()) {
      long age = world.log().age(sequence + 1);
      require(
          age <= MAX_AGE_MICROS,
          Invariant.CUT_OFF_NODE_DOES_NOT_PRETEND,
          "%s answers from data that are older than %d µs",
          relay,
          age);
    }
  }

  // ---- events and their verdicts

  /** A node receives an event; whether it must refuse it. */
  boolean published(SimulatedConnection connection, Event event) {
    published.merge(event.id(), 1, Integer::sum);
    world.trace(() -> connection + " publishes " + event.kind() + " " + event.id());
    return connection.relay().machine().unansweredMicros() > DOUBT_MICROS;
  }

  /** A client hears a verdict. */
  void answered(SimulatedConnection connection, Event event, Ok ok) {
    world.trace(() -> connection + " hears " + ok.accepted() + " " + ok.text());
    accepted += ok.accepted() ? 1 : 0;
    if (!ok.accepted() || event.kind() == SimulatedEvents.JOIN) {
      return;
    }
    if (event.kind() == SimulatedEvents.MOVE) {
      require(
          moves.containsValue(event.id()),
          isDeposed(connection.relay())
              ? Invariant.DEPOSED_LEADER_IS_SILENT
              : Invariant.GAMES_DO_NOT_FORK,
          "%s hears of a move that is not in the log",
          connection);
    } else if (!Kind.isEphemeral(event.kind()) && !isSuperseded(ok)) {
      checkStored(connection, event.id());
    }
  }

  private static boolean isSuperseded(Ok ok) {
    return ok.text().startsWith("duplicate: a newer version");
  }

  private boolean isDeposed(SimulatedRelay relay) {
    return relay.node().leads() && relay.number() != leader;
  }

  private void checkStored(SimulatedConnection connection, EventId id) {
    Long entry = lastAddition.get(id);
    require(
        entry != null,
        isDeposed(connection.relay())
            ? Invariant.DEPOSED_LEADER_IS_SILENT
            : Invariant.OK_MEANS_STORED,
        "%s hears of an event that is not in the shared log",
        connection);
    MemoryEventStore own = connection.relay().machine().disk();
    require(
        entry <= own.logEnd().sequence() || own.contains(id),
        Invariant.OK_MEANS_STORED,
        "%s hears of an event that its node does not have",
        connection);
    require(
        own.contains(id) || !copy.contains(id),
        Invariant.OK_MEANS_STORED,
        "%s does not find an event that was acknowledged",
        connection);
  }

  // ---- the game

  /** A client with a seat is told of a move. */
  void toldOfMove(SimulatedClient client, int number, String id) {
    EventId move = moves.get(number);
    require(
        move != null && move.hex().equals(id),
        Invariant.GAMES_DO_NOT_FORK,
        "%s is told of another move %d",
        client,
        number);
  }

  int moves() {
    return moves.size();
  }

  /** The number of entries. */
  int entries() {
    return ends.size();
  }

  /** A store that has applied all entries. */
  MemoryEventStore copy() {
    return copy;
  }

  /** The number of takeovers. */
  long epoch() {
    return epoch;
  }

  /** The events that clients have heard to be accepted. */
  long accepted() {
    return accepted;
  }

  // ---- subscriptions

  /** A subscription gets a live event. */
  void delivers() {
    delivered++;
  }

  /** The live events of all subscriptions. */
  long delivered() {
    return delivered;
  }

  /** A subscription begins: it gets stored events up to an offset, and later ones live. */
  Expected subscribed(SimulatedSubscription subscription, long upTo) {
    return new ExpectedEvents(this, added, subscription, upTo);
  }

  /** How often an event was published. */
  int timesPublished(EventId id) {
    return published.getOrDefault(id, 0);
  }

  /** The number of moves in a state. */
  static int count(Event state) {
    String json = new String(state.json(), StandardCharsets.UTF_8);
    int from = json.indexOf(CONTENT) + CONTENT.length();
    return Integer.parseInt(json.substring(from, json.indexOf('"', from)));
  }

  /** A subscription gets stored events. */
  void found(SimulatedSubscription subscription, long upTo, List<StoredEvent> stored) {
    for (StoredEvent event : stored) {
      require(
          event.offset() <= upTo && lastAddition.containsKey(event.event().id()),
          Invariant.EXACTLY_ONCE_AND_IN_ORDER,
          "%s gets a stored event from after %d",
          subscription,
          upTo);
    }
  }
}
