package gambit.core.replication;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventHandler;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.wire.RelayMessage.Ok;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Stands for the referee of chess: one game for all clients, whose moves are counted. The leader
 * decides, commits each move as a row, and tells everybody with a seat. The next leader reads the
 * game from its rows, and knows no seats.
 */
final class CounterGame implements EventHandler, ConnectionListener {
  /** Row: number of a move → its id. */
  static final String TABLE = "moves";

  /** The id of an OK that has the number of moves. */
  static final String STATE = "state";

  private final SimulatedRelay relay;
  private final LogCheck check;
  private final List<EventId> moves = new ArrayList<>();
  private final Set<ClientConnection> seats = new LinkedHashSet<>();
  private final Deque<Submission> waiting = new ArrayDeque<>();
  private boolean isDeciding;
  private int openFences;

  CounterGame(SimulatedRelay relay, LogCheck check) {
    this.relay = relay;
    this.check = check;
  }

  /** This node begins to lead. */
  void begin() {
    new TreeMap<>(relay.store().rows(TABLE)).values().forEach(id -> moves.add(new EventId(id)));
    if (relay.world().hasStates() && !moves.isEmpty()) {
      relay.send(List.of(current()));
    }
    if (relay.world().defect().forgetsLastMove() && !moves.isEmpty()) {
      moves.remove(moves.size() - 1);
    }
  }

  @Override
  public Optional<ClaimedEvent> claim(Event event) {
    return event.kind() == SimulatedEvents.MOVE || event.kind() == SimulatedEvents.JOIN
        ? Optional.of(this::handle)
        : Optional.empty();
  }

  private void handle(Submission submission) {
    check.handled(relay, submission.event());
    if (submission.event().kind() == SimulatedEvents.JOIN) {
      relay.store(Commit.of(List.of()), outcome -> join(submission, outcome), outcome -> {});
    } else {
      waiting.add(submission);
      decideNext();
    }
  }

  private List<Outgoing> join(Submission submission, WriteOutcome outcome) {
    ClientConnection connection = submission.connection();
    if (outcome != WriteOutcome.STORED || !connection.isOpen()) {
      return List.of(submission.refused(WriteOutcome.FAILED.reason()));
    }
    seats.add(connection);
    return List.of(submission.accepted(""), state(connection));
  }

  private Outgoing state(ClientConnection to) {
    return new Outgoing.LateOk(to, Ok.accepted(STATE, "" + moves.size()));
  }

  /** One move at a time is under way. */
  private void decideNext() {
    if (isDeciding || waiting.isEmpty()) {
      return;
    }
    Submission submission = waiting.remove();
    EventId id = submission.event().id();
    if (moves.contains(id)) {
      relay.send(List.of(submission.duplicate(WriteOutcome.DUPLICATE.reason())));
      decideNext();
      return;
    }
    isDeciding = true;
    byte[] key = ByteBuffer.allocate(4).putInt(moves.size() + 1).array();
    boolean isTaken =
        relay.store(
            new Commit(List.of(), List.of(), List.of(new Row(TABLE, key, id.bytes()))),
            outcome -> moved(submission, outcome),
            outcome -> {
              isDeciding = false;
              decideNext();
            });
    if (!isTaken) {
      throw new IllegalStateException("the writer is busy");
    }
  }

  private List<Outgoing> moved(Submission submission, WriteOutcome outcome) {
    if (outcome != WriteOutcome.STORED) {
      return List.of(submission.refused(outcome.reason()));
    }
    moves.add(submission.event().id());
    List<Outgoing> output = new ArrayList<>();
    output.add(submission.accepted(""));
    Ok news = Ok.accepted(submission.event(), "" + moves.size());
    if (relay.world().hasStates()) {
      output.add(current());
    }
    if (moves.size() % 3 == 0) {
      openFences++;
      relay.node().afterArrivals(() -> openFences--);
    }
    seats.forEach(seat -> output.add(new Outgoing.LateOk(seat, news)));
    return output;
  }

  /** The number of moves, for those who subscribe to it. */
  private Outgoing.Current current() {
    String count = "" + moves.size();
    Tags tags = new Tags(List.of(List.of("d", TABLE)));
    return new Outgoing.Current(
        TABLE,
        SimulatedEvents.STATE,
        Set.of(),
        () ->
            SimulatedRelay.RELAY.signLazily(
                SimulatedEvents.START_SECONDS, SimulatedEvents.STATE, tags, count),
        false);
  }

  /** How often it waits until everything that has arrived at any node is handled. */
  int openFences() {
    return openFences;
  }

  @Override
  public void closed(ClientConnection connection) {
    seats.remove(connection);
  }
}
