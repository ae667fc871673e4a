package gambit.chess.session;

import gambit.core.feature.ClientConnection;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which connections are bound to which players: those over which a new chess event of the player
 * was accepted. The chess lane's only. Bounded: so many players for a connection.
 */
final class Bindings {
  /** Players of one connection at most. */
  static final int PLAYERS = 100;

  private final Map<PubKey, Set<ClientConnection>> connections = new HashMap<>();
  private final Map<ClientConnection, Set<PubKey>> players = new HashMap<>();

  /** Binds; false when the connection has too many players already. */
  boolean bind(PubKey player, ClientConnection connection) {
    Set<PubKey> own = players.computeIfAbsent(connection, c -> new LinkedHashSet<>());
    if (own.size() >= PLAYERS && !own.contains(player)) {
      return false;
    }
    own.add(player);
    connections.computeIfAbsent(player, p -> new LinkedHashSet<>()).add(connection);
    return true;
  }

  boolean isBound(PubKey player, ClientConnection connection) {
    return of(player).contains(connection);
  }

  /** The player's connections. */
  Set<ClientConnection> of(PubKey player) {
    return connections.getOrDefault(player, Set.of());
  }

  /** The players of a connection. */
  Set<PubKey> playersOf(ClientConnection connection) {
    return players.getOrDefault(connection, Set.of());
  }

  boolean isPresent(PubKey player) {
    return connections.containsKey(player);
  }

  /** Forgets a connection that ended, and tells the players whose last one it was. */
  Set<PubKey> remove(ClientConnection connection) {
    Set<PubKey> gone = new LinkedHashSet<>();
    Set<PubKey> own = players.remove(connection);
    if (own != null) {
      for (PubKey player : own) {
        Set<ClientConnection> left = connections.get(player);
        if (left != null && left.remove(connection) && left.isEmpty()) {
          connections.remove(player);
          gone.add(player);
        }
      }
    }
    return gone;
  }
}
