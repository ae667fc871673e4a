package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The running games and their players, as clients know them: from before a game is announced until
 * its end is committed, which is before its end is announced. Any thread; one entry for each game,
 * and one for each player.
 */
public final class AnnouncedGames {
  private final Map<EventId, GameRef> byId = new ConcurrentHashMap<>();
  private final Map<PubKey, Set<GameRef>> byPlayer = new ConcurrentHashMap<>(); // immutable sets

  boolean isEmpty() {
    return byId.isEmpty();
  }

  /** A running game, or null. */
  @Nullable GameRef get(EventId id) {
    return byId.get(id);
  }

  /** All running games. */
  Collection<GameRef> all() {
    return byId.values();
  }

  boolean isPlaying(PubKey player) {
    return byPlayer.containsKey(player);
  }

  /** Whether filters name a player of a running game. */
  boolean arePlayersIn(List<Filter> filters) {
    return !byPlayer.isEmpty() && filters.stream().anyMatch(this::arePlayersIn);
  }

  private boolean arePlayersIn(Filter filter) {
    Set<PubKey> authors = filter.authors();
    return (authors != null && authors.stream().anyMatch(this::isPlaying))
        || filter.tags().getOrDefault('p', Set.of()).stream()
            .anyMatch(key -> isPlaying(PubKey.ofHex(key))); // the parser of filters has checked it
  }

  /** The games of a player. */
  Set<GameRef> of(PubKey player) {
    return byPlayer.getOrDefault(player, Set.of());
  }

  /** Adds a game; one that is known already counts once. */
  void gameStarted(GameRef game) {
    byId.put(game.id(), game);
    for (Side side : Side.values()) {
      byPlayer.merge(game.player(side), Set.of(game), AnnouncedGames::union);
    }
  }

  void gameEnded(EventId id) {
    GameRef game = byId.remove(id);
    if (game != null) {
      for (Side side : Side.values()) {
        byPlayer.computeIfPresent(game.player(side), (player, own) -> without(own, game));
      }
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
