package gambit.chess.session.runtime;

import gambit.chess.dialect.Dialect;
import gambit.core.feature.ClientConnection;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which connections are bound to which players: those over which a new chess event of the player
 * was accepted, or that have logged in with the player's key. Changed on the chess lane only;
 * {@link #isBound} may be called from any thread. Bounded: so many players for a connection, and so
 * many connections for a player.
 */
public final class Bindings {
  /** Players of one connection, and connections of one player, at most. */
  public static final int MOST = 100;

  /** By player: the connections, and whether each has spoken the draft's dialect. */
  private final Map<PubKey, Map<ClientConnection, Boolean>> connections = new ConcurrentHashMap<>();

  private final Map<ClientConnection, Set<PubKey>> players = new HashMap<>();
  private final Map<PubKey, Dialect> spoken = new HashMap<>();
  private final Presence presence;

  /**
   * How a player is heard: over one connection, and in all.
   *
   * @param isBound whether that connection is bound
   * @param numbers whether the draft's numbered frames are understood there
   * @param dialect in which the player has spoken last, over whatever connection
   */
  public record Voice(boolean isBound, boolean numbers, @Nullable Dialect dialect) {}

  /** Hears who is there. */
  public interface Presence {
    /** A player has a connection now. */
    void came(PubKey player);

    /** A player's last connection is gone. */
    void left(PubKey player);
  }

  public Bindings(Presence presence) {
    this.presence = presence;
  }

  /** Binds, if there is room for it; false when not. */
  public boolean bind(PubKey player, ClientConnection connection) {
    Map<ClientConnection, Boolean> own = connections.getOrDefault(player, Map.of());
    if (own.containsKey(connection)) {
      return true;
    }
    Set<PubKey> others = playersOf(connection);
    if (own.size() >= MOST || others.size() >= MOST) {
      return false;
    }
    Set<PubKey> more = new LinkedHashSet<>(others);
    more.add(player);
    players.put(connection, small(more));
    put(player, connection, false);
    if (own.isEmpty()) {
      presence.came(player);
    }
    return true;
  }

  private void put(PubKey player, ClientConnection connection, boolean numbered) {
    Map<ClientConnection, Boolean> more =
        new LinkedHashMap<>(connections.getOrDefault(player, Map.of()));
    more.put(connection, numbered);
    connections.put(player, small(more));
  }

  /** Most have one only, for which a table is too much. */
  private static <K, V> Map<K, V> small(Map<K, V> map) {
    return map.size() == 1 ? Map.copyOf(map) : map;
  }

  private static <T> Set<T> small(Set<T> set) {
    return set.size() == 1 ? Set.copyOf(set) : set;
  }

  /** A player has spoken over a connection that is bound. */
  public void spoke(PubKey player, ClientConnection connection, Dialect dialect) {
    spoken.put(player, dialect);
    if (dialect.traits().hasNumberedFrames() && !understandsNumbers(player, connection)) {
      put(player, connection, true);
    }
  }

  /** How a player is heard now. */
  public Voice voice(PubKey player, ClientConnection connection) {
    return new Voice(
        isBound(player, connection), understandsNumbers(player, connection), spoken.get(player));
  }

  /** What a player has said over a connection has not happened after all. */
  public void restore(PubKey player, ClientConnection connection, Voice before) {
    if (isBound(player, connection)) {
      put(player, connection, before.numbers());
    }
    if (before.dialect() == null) {
      spoken.remove(player);
    } else if (isPresent(player)) {
      spoken.put(player, before.dialect());
    }
  }

  /** The dialect in which a player has spoken last. */
  public @Nullable Dialect dialectOf(PubKey player) {
    return spoken.get(player);
  }

  public boolean isBound(PubKey player, ClientConnection connection) {
    return connections.getOrDefault(player, Map.of()).containsKey(connection);
  }

  /** Whether the draft's numbered frames are understood there. */
  public boolean understandsNumbers(PubKey player, ClientConnection connection) {
    return connections.getOrDefault(player, Map.of()).getOrDefault(connection, false);
  }

  /** The player's connections. */
  public Set<ClientConnection> of(PubKey player) {
    return connections.getOrDefault(player, Map.of()).keySet();
  }

  /** The players of a connection. */
  public Set<PubKey> playersOf(ClientConnection connection) {
    return players.getOrDefault(connection, Set.of());
  }

  public boolean isPresent(PubKey player) {
    return connections.containsKey(player);
  }

  /** Takes one binding back. */
  public void unbind(PubKey player, ClientConnection connection) {
    Set<PubKey> own = playersOf(connection);
    if (own.contains(player)) {
      Set<PubKey> left = new LinkedHashSet<>(own);
      left.remove(player);
      if (left.isEmpty()) {
        players.remove(connection);
      } else {
        players.put(connection, small(left));
      }
      leave(player, connection);
    }
  }

  /** Forgets a connection that ended. */
  public void remove(ClientConnection connection) {
    Set<PubKey> own = players.remove(connection);
    if (own != null) {
      own.forEach(player -> leave(player, connection));
    }
  }

  private void leave(PubKey player, ClientConnection connection) {
    Map<ClientConnection, Boolean> left = new LinkedHashMap<>(connections.get(player));
    left.remove(connection);
    if (left.isEmpty()) {
      connections.remove(player);
      spoken.remove(player);
      presence.left(player);
    } else {
      connections.put(player, small(left));
    }
  }
}
