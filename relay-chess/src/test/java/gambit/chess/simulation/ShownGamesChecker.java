package gambit.chess.simulation;

import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.Nip100;
import gambit.chess.rules.Side;
import gambit.chess.session.play.ReturningPlayers;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asserts that what a connection of a player is shown of a game never goes back, and that each
 * ending reaches each player as soon as one of the player's connections subscribes, for a day or,
 * in a slow game, longer.
 */
final class ShownGamesChecker {
  private static final int OVER = Integer.MAX_VALUE;

  private final ManualTime time;
  private final Function<EventId, InvariantChecker.@Nullable KnownGame> games;
  private final ExpectedBindings bindings;
  private final BiPredicate<ClientConnection, PubKey> speaksFor;

  /** The newest state of each game that a connection was shown: its index, or {@link #OVER}. */
  private final Map<ClientConnection, Map<EventId, Integer>> shown = new HashMap<>();

  /** The endings that have not reached their player, and until when they are kept. */
  private final Map<Ending, Long> due = new HashMap<>();

  private record Ending(PubKey player, InvariantChecker.KnownGame game) {}

  /**
   * Nothing is shown.
   *
   * @param speaksFor whether a connection has logged in as a player, or has sent the player's
   *     events
   */
  ShownGamesChecker(
      ManualTime time,
      Function<EventId, InvariantChecker.@Nullable KnownGame> games,
      ExpectedBindings bindings,
      BiPredicate<ClientConnection, PubKey> speaksFor) {
    this.time = time;
    this.games = games;
    this.bindings = bindings;
    this.speaksFor = speaksFor;
  }

  /** The end of a game is committed. */
  void ended(InvariantChecker.KnownGame game) {
    long until = time.millis() + ReturningPlayers.keptFor(game.ref).toMillis();
    for (Side side : Side.values()) {
      due.put(new Ending(game.ref.player(side), game), until);
    }
  }

  /** A move is announced, after which the game has the state with that index. */
  void moved(InvariantChecker.KnownGame game, int state, Outgoing.Broadcast move) {
    for (Side side : Side.values()) {
      for (SimulatedConnection socket : bindings.of(game.ref.player(side))) {
        if (socket.gets(move.fallbacks())) {
          show(socket, game, state);
        }
      }
    }
  }

  /** The state of a game is published to all subscribers. */
  void published(InvariantChecker.KnownGame game, Event state) {
    for (Side side : Side.values()) {
      for (SimulatedConnection socket : bindings.of(game.ref.player(side))) {
        if (socket.gets(List.of())) {
          shown(socket, game, state);
        }
      }
    }
  }

  /** An event is sent to single connections. */
  void sent(Outgoing.Multicast multicast) {
    Event event = multicast.event();
    boolean isState = event.kind() == Ephemeral.STATE;
    String id = event.tags().first(isState ? "d" : "e").orElse("");
    if (!isState && event.kind() != Nip100.LOBBY || id.length() != 64) {
      return;
    }
    InvariantChecker.KnownGame game = games.apply(EventId.ofHex(id));
    if (game != null) {
      for (ClientConnection to : multicast.to()) {
        if (((SimulatedConnection) to).gets(multicast.fallbacks())) {
          shown((SimulatedConnection) to, game, event);
        }
      }
    }
  }

  private void shown(SimulatedConnection socket, InvariantChecker.KnownGame game, Event event) {
    if (event.tags().first("result").isPresent()) {
      show(socket, game, OVER);
      due.keySet()
          .removeIf(
              it ->
                  it.game() == game
                      && InvariantChecker.isEndingFor(it.player(), game, event)
                      && speaksFor.test(socket, it.player()));
    } else if (event.kind() == Ephemeral.STATE || event.content().equals("gameisfound")) {
      String fen =
          event.kind() == Ephemeral.STATE
              ? event.content()
              : event.tags().first("fen").orElseThrow();
      show(socket, game, game.positions.lastIndexOf(fen));
    }
  }

  private void show(SimulatedConnection socket, InvariantChecker.KnownGame game, int state) {
    int before = shown.computeIfAbsent(socket, s -> new HashMap<>()).getOrDefault(game.ref.id(), 0);
    InvariantChecker.check(
        before <= state,
        Invariant.GAME_SHOWN_NEVER_GOES_BACK,
        () ->
            socket
                + " was shown state "
                + state
                + " after "
                + before
                + " of "
                + InvariantChecker.about(game));
    shown.get(socket).put(game.ref.id(), state);
  }

  void closed(SimulatedConnection socket) {
    shown.remove(socket);
  }

  void crashed() {
    shown.clear();
  }

  /** Nothing is under way. */
  void quiet() {
    for (Iterator<Map.Entry<Ending, Long>> all = due.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Ending, Long> entry = all.next();
      Ending ending = entry.getKey();
      if (entry.getValue() <= time.millis()) {
        all.remove();
      } else {
        InvariantChecker.check(
            bindings.of(ending.player()).stream().noneMatch(it -> it.gets(List.of())),
            Invariant.ENDING_REACHES_EVERY_PLAYER,
            () ->
                ending.player()
                    + " was not told of the end of "
                    + InvariantChecker.about(ending.game()));
      }
    }
  }
}
