package gambit.chess.simulation;

import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The open connections bound to each player, derived from the relay's answers. */
final class ExpectedBindings {
  private final ManualTime time;
  private final Map<PubKey, Set<SimulatedConnection>> sockets = new HashMap<>();
  private final Map<SimulatedConnection, Set<PubKey>> players = new HashMap<>();

  /** The connections that have logged in since nothing was under way. */
  private final Set<SimulatedConnection> justLoggedIn = new HashSet<>();

  private final Map<PubKey, Long> leftAt = new HashMap<>();
  private long startedAt;

  ExpectedBindings(ManualTime time) {
    this.time = time;
    this.startedAt = time.millis();
  }

  void bound(PubKey player, SimulatedConnection socket) {
    if (socket.isOpen()) {
      sockets.computeIfAbsent(player, p -> new LinkedHashSet<>()).add(socket);
      players.computeIfAbsent(socket, s -> new HashSet<>()).add(player);
    }
  }

  /** A connection is closed; returns the players whose last one it was. */
  Set<PubKey> closed(SimulatedConnection socket) {
    Set<PubKey> left = new HashSet<>();
    for (PubKey player : players.getOrDefault(socket, Set.of())) {
      Set<SimulatedConnection> own = sockets.get(player);
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
    justLoggedIn.clear();
    startedAt = time.millis();
  }

  /** A login has bound a connection, perhaps while a commit for its player is pending. */
  void loggedIn(PubKey player, SimulatedConnection socket) {
    if (!of(player).contains(socket)) {
      bound(player, socket);
      justLoggedIn.add(socket);
    }
  }

  /** Whether a connection may have been bound after the latest decisions about its players. */
  boolean hasJustLoggedIn(SimulatedConnection socket) {
    return justLoggedIn.contains(socket);
  }

  /** Nothing is under way. */
  void quiet() {
    justLoggedIn.clear();
  }

  Set<PubKey> playersOf(SimulatedConnection socket) {
    return players.getOrDefault(socket, Set.of());
  }

  Set<PubKey> present() {
    return sockets.keySet();
  }

  boolean isPresent(PubKey player) {
    return sockets.containsKey(player);
  }

  Set<SimulatedConnection> of(PubKey player) {
    return sockets.getOrDefault(player, Set.of());
  }

  /** The least time for which a player has been absent; 0 when present. */
  long goneFor(PubKey player) {
    return isPresent(player)
        ? 0
        : time.millis() - Math.max(startedAt, leftAt.getOrDefault(player, startedAt));
  }
}
