package gambit.chess.session.play;

import gambit.core.feature.ClientConnection;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The running games that must still be shown on connections that have logged in, with the remaining
 * attempts. Bounded by the games of the players of each connection. Owned by the chess lane.
 */
final class UnshownGames {
  /** The maximum of attempts to show a game to a connection whose subscriptions do not match it. */
  private static final int MAX_ATTEMPTS = 16;

  private record Binding(PubKey player, ClientConnection connection) {}

  private final Map<Binding, Map<EventId, Integer>> attemptsLeft = new HashMap<>();

  /** Adds running games of a player who has logged in. */
  void add(PubKey player, ClientConnection connection, List<GameSession> running) {
    if (!running.isEmpty()) {
      Map<EventId, Integer> games =
          attemptsLeft.computeIfAbsent(new Binding(player, connection), binding -> new HashMap<>());
      running.forEach(game -> games.put(game.id(), MAX_ATTEMPTS));
    }
  }

  /** Whether any game must still be shown. */
  boolean hasAny(PubKey player, ClientConnection connection) {
    return attemptsLeft.containsKey(new Binding(player, connection));
  }

  boolean contains(PubKey player, ClientConnection connection, EventId game) {
    return attemptsLeft.getOrDefault(new Binding(player, connection), Map.of()).containsKey(game);
  }

  /** Counts an attempt; after the last one, the game needs no longer be shown. */
  void attempted(PubKey player, ClientConnection connection, EventId game) {
    attemptsLeft.computeIfPresent(
        new Binding(player, connection),
        (binding, games) -> {
          games.computeIfPresent(game, (id, left) -> left > 1 ? left - 1 : null);
          return games.isEmpty() ? null : games;
        });
  }

  /** Removes a game that was shown. */
  void remove(PubKey player, ClientConnection connection, EventId game) {
    retain(player, connection, id -> !id.equals(game));
  }

  /** Removes the games that are over. */
  void retain(PubKey player, ClientConnection connection, GamesOfPlayer running) {
    Set<EventId> ids = running.all().stream().map(GameSession::id).collect(Collectors.toSet());
    retain(player, connection, ids::contains);
  }

  private void retain(PubKey player, ClientConnection connection, Predicate<EventId> isKept) {
    attemptsLeft.computeIfPresent(
        new Binding(player, connection),
        (binding, games) -> {
          games.keySet().removeIf(isKept.negate());
          return games.isEmpty() ? null : games;
        });
  }

  /** Removes all games of a player, which are shown otherwise, or need not be shown. */
  void removeAll(PubKey player, ClientConnection connection) {
    attemptsLeft.remove(new Binding(player, connection));
  }
}
