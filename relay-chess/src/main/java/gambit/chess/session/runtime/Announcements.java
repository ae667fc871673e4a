package gambit.chess.session.runtime;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notice;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.Reply;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.MissedEnding;
import gambit.core.crypto.Draft;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is stored and told together, in order, addressed to the connections of each player. The
 * chess lane's only; one for each decision.
 */
public final class Announcements {
  private final Bindings bindings;
  private final List<Event> stored = new ArrayList<>(2);
  private final List<Outgoing> outgoing = new ArrayList<>();
  private final List<MissedEnding> missed = new ArrayList<>(1);

  public Announcements(Bindings bindings) {
    this.bindings = bindings;
  }

  /** The events to store. */
  public List<Event> stored() {
    return stored;
  }

  /** What to let out once they are. */
  public List<Outgoing> outgoing() {
    return outgoing;
  }

  /** What to let out although nothing could be stored. */
  public List<Outgoing> outgoingWithoutStored() {
    return outgoing.stream()
        .filter(
            item ->
                !(item instanceof Outgoing.Broadcast broadcast
                    && stored.contains(broadcast.event())))
        .toList();
  }

  /** The answer to an event, and what is told beside it to its author. */
  public void reply(Submission to, Reply reply) {
    outgoing.add(new Outgoing.Answer(to, reply.ok(to.event())));
    answer(to, reply.notices());
  }

  /**
   * Something for the author of an event: on every connection of the author's, but on the event's
   * alone if that is not bound to the author, since a stranger may have sent it.
   */
  public void answer(Submission to, List<Notice> notices) {
    PubKey author = to.event().pubkey();
    Set<ClientConnection> connections =
        bindings.isBound(author, to.connection()) ? bindings.of(author) : Set.of(to.connection());
    notices.forEach(notice -> tell(author, connections, notice));
  }

  /** A further OK of each event that has led a player into the game. */
  public void colour(ColourAnswers colourAnswers, Side side) {
    outgoing.addAll(colourAnswers.colours(side));
  }

  /** Anything else. */
  public void say(Outgoing item) {
    outgoing.add(item);
  }

  /** Something for one player, on every connection. */
  public void tell(PubKey player, List<Notice> notices) {
    notices.forEach(notice -> tell(player, bindings.of(player), notice));
  }

  /** Something for one player, on every connection but some. */
  public void tell(PubKey player, List<Notice> notices, Set<ClientConnection> except) {
    Set<ClientConnection> connections = new LinkedHashSet<>(bindings.of(player));
    connections.removeAll(except);
    notices.forEach(notice -> tell(player, connections, notice));
  }

  /** Something for one player, on some connections. */
  public void tell(PubKey player, Set<ClientConnection> connections, Notice notice) {
    Set<ClientConnection> to = Set.copyOf(connections);
    List<Fallback> fallbacks = fallbacks(player, to, notice.number());
    outgoing.add(new Outgoing.Whisper(notice.event(), to, fallbacks));
  }

  /** Something for one player, on one connection, and then whether a frame with it was sent. */
  public void tell(
      PubKey player, ClientConnection connection, Notice notice, Consumer<Boolean> whetherSent) {
    Set<ClientConnection> to = Set.of(connection);
    List<Fallback> fallbacks = fallbacks(player, to, notice.number());
    outgoing.add(new Outgoing.Whisper(notice.event(), to, fallbacks, whetherSent));
  }

  /** An ending that its player, who is away, gets on coming back. */
  public void leave(MissedEnding ending) {
    missed.add(ending);
  }

  /** The endings of players who are away. */
  public List<MissedEnding> missed() {
    return missed;
  }

  /** The game's first event, which reaches both players in any case. */
  public void begins(Event gameIsFound, GameRef game) {
    List<Fallback> fallbacks = new ArrayList<>();
    for (Side side : Side.values()) {
      PubKey player = game.player(side);
      fallbacks.addAll(
          fallbacks(player, bindings.of(player), game.dialect(side).traits().numberOfStart()));
    }
    publish(gameIsFound, fallbacks.stream().distinct().toList()); // one connection may be both's
  }

  /** A move, which reaches the opponent in any case. */
  public void moved(Event move, PubKey opponent, Dialect dialect) {
    publish(move, fallbacks(opponent, bindings.of(opponent), dialect.traits().numberOfMove()));
  }

  /** An event that is stored, for whoever subscribes. */
  public void publish(Event event) {
    publish(event, List.of());
  }

  private void publish(Event event, List<Fallback> fallbacks) {
    stored.add(event);
    outgoing.add(new Outgoing.Broadcast(event, fallbacks));
  }

  /** How a game stands now, for whoever follows it. */
  public void state(GameRef game, Supplier<Draft> state, boolean ends) {
    outgoing.add(
        new Outgoing.Current(
            game.id(),
            RelayEvents.STATE_KIND,
            Set.of(game.white().player(), game.black().player()),
            state,
            ends));
  }

  private List<Fallback> fallbacks(
      PubKey player, Set<ClientConnection> connections, @Nullable Integer number) {
    if (number == null) {
      return List.of();
    }
    return connections.stream()
        .filter(connection -> bindings.understandsNumbers(player, connection))
        .map(connection -> new Fallback(connection, number))
        .toList();
  }
}
