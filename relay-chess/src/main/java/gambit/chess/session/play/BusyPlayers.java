package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.rules.Side;
import gambit.core.model.PubKey;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The players of running games and their games, as clients know them: from before a game is
 * announced until its end is committed, which is before its end is announced. Any thread; one entry
 * for each player.
 */
final class BusyPlayers {
  private final Map<PubKey, Set<GameRef>> games = new ConcurrentHashMap<>(); // immutable sets

  boolean isEmpty() {
    return games.isEmpty();
  }

  boolean contains(PubKey player) {
    return games.containsKey(player);
  }

  /** The games of a player. */
  Set<GameRef> of(PubKey player) {
    return games.getOrDefault(player, Set.of());
  }

  void gameStarted(GameRef game) {
    for (Side side : Side.values()) {
      games.merge(game.player(side), Set.of(game), BusyPlayers::union);
    }
  }

  void gameEnded(GameRef game) {
    for (Side side : Side.values()) {
      games.computeIfPresent(game.player(side), (player, own) -> without(own, game));
    }
  }

  private static Set<GameRef> union(Set<GameRef> some, Set<GameRef> others) {
    Set<GameRef> all = new HashSet<>(some);
    all.addAll(others);
    return Set.copyOf(all);
  }

  private static @Nullable Set<GameRef> without(Set<GameRef> own, GameRef game) {
    Set<GameRef> rest = new HashSet<>(own);
    rest.remove(game);
    return rest.isEmpty() ? null : Set.copyOf(rest);
  }
}
