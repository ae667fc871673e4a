package gambit.chess.session;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.game.GameEvent;
import gambit.chess.game.Over;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a game stores and tells, in order, in NIP-100's words. The chess lane's only; one
 * for each step.
 */
final class Announcements {
  private final GameRef game;
  private final Bindings bindings;
  private final RelayEvents relay;
  private final long now;
  private final List<Event> stored = new ArrayList<>();
  private final List<Outgoing> outgoing = new ArrayList<>();

  /**
   * Prepares to tell of one step.
   *
   * @param now epoch milliseconds
   */
  Announcements(GameRef game, Bindings bindings, RelayEvents relay, long now) {
    this.game = game;
    this.bindings = bindings;
    this.relay = relay;
    this.now = now;
  }

  /** The events to store. */
  List<Event> stored() {
    return stored;
  }

  /** What to let out once they are. */
  List<Outgoing> outgoing() {
    return outgoing;
  }

  /** What to let out when the record could not be stored. */
  List<Outgoing> withoutRecord() {
    return outgoing.stream()
        .filter(
            item ->
                !(item instanceof Outgoing.Broadcast broadcast
                    && stored.contains(broadcast.event())))
        .toList();
  }

  void say(Outgoing item) {
    outgoing.add(item);
  }

  /** The game has begun: to each player the event, then the colour for every connect. */
  void started(Event gameIsFound, Connects white, Connects black) {
    stored.add(gameIsFound);
    outgoing.add(new Outgoing.Broadcast(gameIsFound, fallbacks(bothPlayers(), Nip100.LOBBY)));
    outgoing.addAll(white.colours(Nip100.colour(Side.WHITE)));
    outgoing.addAll(black.colours(Nip100.colour(Side.BLACK)));
  }

  /** A player's own event, for everyone; a move reaches the opponent in any case. */
  void played(Event event, GameEvent what) {
    stored.add(event);
    boolean move = what instanceof GameEvent.Moved;
    Side author = game.sideOf(event.pubkey());
    outgoing.add(
        new Outgoing.Broadcast(
            event, move ? fallbacks(of(author.opponent()), Nip100.DRAW) : List.of()));
    if (what instanceof GameEvent.DrawOffered) {
      whisper(relay.offerSent(game, now), author.opponent(), Nip100.DRAW, null);
    }
  }

  /** How it ended, to both, and the record for everyone. */
  void ended(Over over, List<EventId> plies, @Nullable Submission cause) {
    Termination termination = over.termination();
    if (termination == Termination.CHECKMATE) {
      both(over, "gamecheckmate");
    } else if (over.result() == Result.DRAW) {
      both(over, "gamedraw");
    } else if (over.result() == Result.NONE) {
      both(over, "gameaborted");
    } else {
      Side winner = over.result() == Result.WHITE_WINS ? Side.WHITE : Side.BLACK;
      boolean resigned = termination == Termination.RESIGNATION;
      ClientConnection knows = resigned && cause != null ? cause.connection() : null;
      whisper(relay.ending(game, over, "opponentresigned"), winner, Nip100.LOBBY, null);
      whisper(relay.ending(game, over, "gamelost"), winner.opponent(), Nip100.LOBBY, knows);
    }
    if (over.result() != Result.NONE) {
      Event record = relay.record(game, over, plies);
      stored.add(record);
      outgoing.add(new Outgoing.Broadcast(record, List.of()));
    }
  }

  private void both(Over over, String word) {
    outgoing.add(whisper(relay.ending(game, over, word), bothPlayers(), Nip100.LOBBY));
  }

  private Set<ClientConnection> bothPlayers() {
    Set<ClientConnection> connections = new LinkedHashSet<>(of(Side.WHITE));
    connections.addAll(of(Side.BLACK));
    return connections;
  }

  private Set<ClientConnection> of(Side side) {
    return bindings.of(game.player(side));
  }

  /** To all connections of one player but one. */
  private void whisper(Event event, Side to, int number, @Nullable ClientConnection except) {
    Set<ClientConnection> connections = new LinkedHashSet<>(of(to));
    if (except != null) {
      connections.remove(except);
    }
    outgoing.add(whisper(event, connections, number));
  }

  /** An event for some connections only, each of which understands numbered frames. */
  static Outgoing whisper(Event event, Set<ClientConnection> connections, int number) {
    return new Outgoing.Whisper(event, Set.copyOf(connections), fallbacks(connections, number));
  }

  private static List<Fallback> fallbacks(Set<ClientConnection> connections, int number) {
    return connections.stream().map(connection -> new Fallback(connection, number)).toList();
  }
}
