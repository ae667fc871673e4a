package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The players of running games, as clients know them: from before a game is announced until its end
 * is committed, which is before its end is announced. Any thread; one entry for each player.
 */
final class BusyPlayers {
  private final Map<PubKey, Set<EventId>> games = new ConcurrentHashMap<>(); // immutable sets

  boolean contains(PubKey player) {
    return games.containsKey(player);
  }

  void gameStarted(GameRef game) {
    for (Side side : Side.values()) {
      games.merge(game.player(side), Set.of(game.id()), BusyPlayers::union);
    }
  }

  void gameEnded(GameRef game) {
    for (Side side : Side.values()) {
      games.computeIfPresent(game.player(side), (player, own) -> without(own, game.id()));
    }
  }

  private static Set<EventId> union(Set<EventId> some, Set<EventId> others) {
    Set<EventId> all = new HashSet<>(some);
    all.addAll(others);
    return Set.copyOf(all);
  }

  private static @Nullable Set<EventId> without(Set<EventId> own, EventId game) {
    Set<EventId> rest = new HashSet<>(own);
    rest.remove(game);
    return rest.isEmpty() ? null : Set.copyOf(rest);
  }
}
