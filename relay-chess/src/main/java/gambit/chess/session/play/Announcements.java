package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.Reply;
import gambit.chess.rules.Side;
import gambit.chess.session.play.ReturningPlayers.MissedEnding;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one decision changes in the store, and the output that follows the commit, in order and
 * addressed to the connections of each player. Owned by the chess lane.
 */
public final class Announcements {
  private final ConnectionBindings bindings;
  private final List<Event> stored = new ArrayList<>(2);
  private final List<EventId> withdrawn = new ArrayList<>(0);
  private final List<Row> rows = new ArrayList<>(2);
  private final List<Outgoing> outgoing = new ArrayList<>();
  private final List<MissedEnding> missedEndings = new ArrayList<>(0);
  private Runnable beforeOutput = () -> {};
  private Runnable afterCommit = () -> {};
  private Commit.@Nullable Addition addition;
  private List<Event> added = List.of(); // by the writer's thread

  public Announcements(ConnectionBindings bindings) {
    this.bindings = bindings;
  }

  Commit commit() {
    return new Commit(stored, withdrawn, List.of(), rows, addition);
  }

  /**
   * Adds what depends on the rows at the commit; its events are published after all other output.
   */
  public void addInCommit(Commit.Addition changes, Runnable then) {
    addition =
        new Commit.Addition(
            rows -> {
              Optional<Commit> made = changes.changes().apply(rows);
              added = made.map(Commit::events).orElse(List.of());
              return made;
            },
            changes.maxBytes());
    afterCommit = then;
  }

  /** What follows on the chess lane when the addition is committed. */
  public Runnable afterCommit() {
    return afterCommit;
  }

  boolean areStored() {
    return !stored.isEmpty();
  }

  public void addRow(Row row) {
    rows.add(row);
  }

  public void addRows(List<Row> more) {
    rows.addAll(more);
  }

  /** Removes a stored event; if it is no longer stored, nothing is committed. */
  public void withdraw(EventId event) {
    withdrawn.add(event);
  }

  public void withdrawNothing() {
    withdrawn.clear();
  }

  /**
   * Sets an action between the commit and its output.
   *
   * @param action runs on the writer's thread: after the commit, in a cluster before it, so that it
   *     must be undone if the outcome is another one
   */
  public void beforeOutput(Runnable action) {
    beforeOutput = action;
  }

  Runnable beforeOutput() {
    return beforeOutput;
  }

  /** The output; complete once the commit is made. */
  public List<Outgoing> outgoing() {
    if (added.isEmpty()) {
      return outgoing;
    }
    List<Outgoing> all = new ArrayList<>(outgoing);
    added.forEach(event -> all.add(new Outgoing.Broadcast(event, List.of())));
    return all;
  }

  /**
   * Stores and sends no events after all, since there is no room for them; false if there are none.
   */
  public boolean storeNothing() {
    boolean hasEvents = areStored() || addition != null;
    outgoing.removeIf(
        item -> item instanceof Outgoing.Broadcast broadcast && stored.contains(broadcast.event()));
    stored.clear();
    addition = null;
    added = List.of();
    afterCommit = () -> {};
    return hasEvents;
  }

  public void reply(Submission to, Reply reply) {
    outgoing.add(new Outgoing.Answer(to, reply.ok(to.event())));
    notifyAuthor(to, reply.notices());
  }

  /**
   * Notifies the author of an event on all connections; but only on the event's own connection if
   * that is not bound to the author, since a stranger may have sent the event.
   */
  public void notifyAuthor(Submission to, List<Notification> notices) {
    PubKey author = to.event().pubkey();
    Set<ClientConnection> connections =
        bindings.isBound(author, to.connection()) ? bindings.of(author) : Set.of(to.connection());
    notices.forEach(notice -> notifyPlayer(author, connections, notice));
  }

  public void addAll(List<Outgoing> items) {
    outgoing.addAll(items);
  }

  public void notifyPlayer(PubKey player, List<Notification> notices) {
    notices.forEach(notice -> notifyPlayer(player, bindings.of(player), notice));
  }

  public void notifyPlayer(PubKey player, Set<ClientConnection> connections, Notification notice) {
    List<Fallback> fallbacks = fallbacks(player, connections, notice.number());
    outgoing.add(new Outgoing.Multicast(notice.event(), Set.copyOf(connections), fallbacks));
  }

  /**
   * Notifies a player on some connections.
   *
   * @param whetherSent receives whether at least one frame is on its way; on the live lane
   */
  public void notifyPlayer(
      PubKey player,
      Set<ClientConnection> connections,
      Notification notice,
      Consumer<Boolean> whetherSent) {
    List<Fallback> fallbacks = fallbacks(player, connections, notice.number());
    outgoing.add(
        new Outgoing.Multicast(notice.event(), Set.copyOf(connections), fallbacks, whetherSent));
  }

  public void addMissedEnding(MissedEnding ending) {
    missedEndings.add(ending);
    rows.add(ending.row());
  }

  public List<MissedEnding> missedEndings() {
    return missedEndings;
  }

  /** Publishes the first event of a game; both players receive it without a subscription, too. */
  public void publishStart(Event gameIsFound, GameRef game) {
    List<Fallback> fallbacks = new ArrayList<>();
    for (Side side : Side.values()) {
      PubKey player = game.player(side);
      fallbacks.addAll(fallbacks(player, bindings.of(player), game.dialect(side).startFrame()));
    }
    publish(
        gameIsFound, fallbacks.stream().distinct().toList()); // both players may share a connection
  }

  /** Publishes a move; the opponent receives it without a subscription, too. */
  public void publishMove(Event move, PubKey opponent, Dialect dialect) {
    publish(move, fallbacks(opponent, bindings.of(opponent), dialect.moveFrame()));
  }

  /** Reports when the output so far has been handed to the player's first socket. */
  public void whenSent(PubKey player, Runnable report) {
    outgoing.add(new Outgoing.OutputReport(Set.copyOf(bindings.of(player)), report));
  }

  public void publish(Event event) {
    publish(event, List.of());
  }

  private void publish(Event event, List<Fallback> fallbacks) {
    stored.add(event);
    outgoing.add(new Outgoing.Broadcast(event, fallbacks));
  }

  /** Publishes the current state of a game to its followers, or its last one. */
  public void publishState(GameRef game, Supplier<LazilySignedEvent> state, boolean ends) {
    outgoing.add(
        new Outgoing.Current(
            game.id().hex(),
            RefereeEvents.STATE_KIND,
            Set.of(game.white().player(), game.black().player()),
            state,
            ends));
  }

  private List<Fallback> fallbacks(
      PubKey player, Set<ClientConnection> connections, @Nullable Integer number) {
    if (number == null) {
      return List.of();
    }
    List<Fallback> fallbacks = new ArrayList<>(1); // most players have one connection
    for (ClientConnection connection : connections) {
      if (bindings.understandsNumbers(player, connection)) {
        fallbacks.add(new Fallback(connection, number));
      }
    }
    return fallbacks;
  }
}
