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

  /** The players of connections that a new leader does not know yet. */
  private final Map<SimulatedConnection, Set<PubKey>> unknown = new HashMap<>();

  /**
   * The connections that have logged in, or that a new leader has begun to know, since nothing was
   * under way.
   */
  private final Set<SimulatedConnection> justResumed = new HashSet<>();

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
    left.addAll(unknown.getOrDefault(socket, Set.of()));
    unknown.remove(socket);
    left.removeIf(player -> !ofAll(player).isEmpty());
    return left;
  }

  void crashed() {
    sockets.clear();
    players.clear();
    unknown.clear();
    beginAgain();
  }

  /** A new leader knows no connection yet. */
  void tookOver() {
    players.forEach(
        (socket, own) -> unknown.computeIfAbsent(socket, s -> new HashSet<>()).addAll(own));
    sockets.clear();
    players.clear();
    beginAgain();
  }

  /** The leader does not know a connection any more. */
  void nodeLost(SimulatedConnection socket) {
    Set<PubKey> own = Set.copyOf(playersOf(socket));
    closed(socket);
    unknown.put(socket, own);
  }

  /** The periods of absence begin again. */
  private void beginAgain() {
    leftAt.clear();
    justResumed.clear();
    startedAt = time.millis();
  }

  /** The new leader knows a connection. */
  void resumed(SimulatedConnection socket) {
    Set<PubKey> own = unknown.remove(socket);
    if (own != null) {
      own.forEach(player -> bound(player, socket));
      justResumed.add(socket);
    }
    socket.keys().forEach(player -> loggedIn(player, socket));
  }

  /** A login has bound a connection, perhaps while a commit for its player is pending. */
  void loggedIn(PubKey player, SimulatedConnection socket) {
    if (!of(player).contains(socket)) {
      bound(player, socket);
      justResumed.add(socket);
    }
  }

  /** Whether a connection may have been bound after the latest decisions about its players. */
  boolean isJustResumed(SimulatedConnection socket) {
    return justResumed.contains(socket);
  }

  /** Nothing is under way. */
  void quiet() {
    justResumed.clear();
  }

  /** A player's connections, also those that a new leader does not know yet. */
  Set<SimulatedConnection> ofAll(PubKey player) {
    Set<SimulatedConnection> all = new LinkedHashSet<>(of(player));
    unknown.forEach(
        (socket, own) -> {
          if (own.contains(player)) {
            all.add(socket);
          }
        });
    return all;
  }

  Set<PubKey> playersOf(SimulatedConnection socket) {
    return players.getOrDefault(socket, Set.of());
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
