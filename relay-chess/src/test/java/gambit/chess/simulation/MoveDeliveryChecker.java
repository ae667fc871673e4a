package gambit.chess.simulation;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asserts that a connection with numbered frames gets every move of the opponent, or is shown the
 * game after it, when nothing is under way.
 */
final class MoveDeliveryChecker {
  private final Function<EventId, InvariantChecker.@Nullable KnownGame> games;
  private final ExpectedBindings bindings;

  /** The connections that understand numbered frames, with the players they do so for. */
  private final Map<ClientConnection, Set<PubKey>> numbered = new HashMap<>();

  /** The number of plies that a connection must be shown. */
  private final Map<Due, Integer> due = new HashMap<>();

  private record Due(SimulatedConnection socket, PubKey player, EventId game) {}

  MoveDeliveryChecker(
      Function<EventId, InvariantChecker.@Nullable KnownGame> games, ExpectedBindings bindings) {
    this.games = games;
    this.bindings = bindings;
  }

  /** A player's event of kinds 5000 to 5003 was accepted over a connection. */
  void accepted(PubKey player, ClientConnection connection) {
    numbered.computeIfAbsent(connection, c -> new HashSet<>()).add(player);
  }

  /** The move that ends in a committed ply is announced. */
  void moved(InvariantChecker.KnownGame game, Side by, int ply, Outgoing.Broadcast move) {
    GameRef ref = game.ref;
    Side opponent = by.opponent();
    PubKey player = ref.player(opponent);
    if (!ref.dialect(opponent).hasNumberedFrames()) {
      return; // it follows the states
    }
    for (SimulatedConnection socket : bindings.of(player)) {
      boolean isSent = move.fallbacks().stream().anyMatch(it -> it.to() == socket);
      if (!isSent && numbered.getOrDefault(socket, Set.of()).contains(player)) {
        due.put(new Due(socket, player, ref.id()), ply);
      }
    }
  }

  /** The position of a game is shown. */
  void shown(Outgoing.Multicast multicast) {
    if (multicast.event().kind() != Nip100.LOBBY
        || !multicast.event().content().equals("gameisfound")) {
      return;
    }
    EventId game = EventId.ofHex(multicast.event().tags().first("e").orElseThrow());
    String moves = multicast.event().tags().first("moves").orElse("");
    int plies = moves.isEmpty() ? 0 : moves.split(" ").length;
    due.entrySet()
        .removeIf(
            entry ->
                entry.getKey().game().equals(game)
                    && multicast.to().contains(entry.getKey().socket())
                    && plies >= Math.min(entry.getValue(), committedPlies(game)));
  }

  private int committedPlies(EventId game) {
    InvariantChecker.KnownGame known = games.apply(game);
    return known == null ? 0 : known.playing.plies();
  }

  void crashed() {
    numbered.clear();
    due.clear();
  }

  /** Nothing is under way. */
  void quiet() {
    Iterator<Due> all = due.keySet().iterator();
    while (all.hasNext()) {
      Due missed = all.next();
      InvariantChecker.KnownGame game = games.apply(missed.game());
      boolean isOver = game == null || game.ending != null; // then it gets the ending
      InvariantChecker.check(
          isOver || !missed.socket().isOpen(),
          Invariant.OPPONENT_SEES_EVERY_MOVE,
          () -> missed + " was not shown ply " + due.get(missed));
      all.remove();
    }
  }
}
