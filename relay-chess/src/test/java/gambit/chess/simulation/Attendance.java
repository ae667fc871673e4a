package gambit.chess.simulation;

import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Which open connections are bound to which players, as their answers tell. */
final class Attendance {
  private final HandTime time;
  private final Map<PubKey, Set<Socket>> sockets = new HashMap<>();
  private final Map<Socket, Set<PubKey>> players = new HashMap<>();
  private final Map<PubKey, Long> leftAt = new HashMap<>();
  private long startedAt;

  Attendance(HandTime time) {
    this.time = time;
    this.startedAt = time.millis();
  }

  void bound(PubKey player, Socket socket) {
    if (socket.isOpen()) {
      sockets.computeIfAbsent(player, p -> new LinkedHashSet<>()).add(socket);
      players.computeIfAbsent(socket, s -> new HashSet<>()).add(player);
    }
  }

  /** A connection is closed; returns whose last one it was. */
  Set<PubKey> closed(Socket socket) {
    Set<PubKey> left = new HashSet<>();
    for (PubKey player : players.getOrDefault(socket, Set.of())) {
      Set<Socket> own = sockets.get(player);
      own.remove(socket);
      if (own.isEmpty()) {
        sockets.remove(player);
        leftAt.put(player, time.millis());
        left.add(player);
      }
    }
    players.remove(socket);
    return left;
  }

  void crashed() {
    sockets.clear();
    players.clear();
    leftAt.clear();
    startedAt = time.millis();
  }

  Set<PubKey> playersOf(Socket socket) {
    return players.getOrDefault(socket, Set.of());
  }

  boolean isPresent(PubKey player) {
    return sockets.containsKey(player);
  }

  Set<Socket> of(PubKey player) {
    return sockets.getOrDefault(player, Set.of());
  }

  /** For how long a player has been gone at least; 0 when present. */
  long goneFor(PubKey player) {
    return isPresent(player)
        ? 0
        : time.millis() - Math.max(startedAt, leftAt.getOrDefault(player, startedAt));
  }
}
