package gambit.chess.session.play;

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
 * The bindings of connections to players. A connection is bound to a player when a new chess event
 * of the player was accepted over it, or when it has logged in with the player's key. Changed on
 * the chess lane only; {@link #isBound} may be called from any thread. Bounded by {@link
 * #MAX_BINDINGS}.
 */
public final class ConnectionBindings {
  /** The maximum of players of one connection, and of connections of one player. */
  public static final int MAX_BINDINGS = 100;

  /** By player: the connections, and whether each understands numbered frames. */
  private final Map<PubKey, Map<ClientConnection, Boolean>> connections = new ConcurrentHashMap<>();

  private final Map<ClientConnection, Set<PubKey>> players = new HashMap<>();
  private final Map<PubKey, Dialect> lastDialects = new HashMap<>();
  private final PresenceListener listener;

  /**
   * The state of a player and one connection, to be restored if a request fails: whether the
   * connection understands numbered frames, and the last dialect over any connection.
   */
  public record BindingState(boolean isBound, boolean numbers, @Nullable Dialect dialect) {}

  public interface PresenceListener {
    /** A player has a first bound connection. */
    void playerConnected(PubKey player);

    /** A player's last bound connection was closed or unbound. */
    void playerDisconnected(PubKey player);

    /** A player who is present has one bound connection more or fewer. */
    void connectionsChanged(PubKey player);
  }

  public ConnectionBindings(PresenceListener listener) {
    this.listener = listener;
  }

  /** Binds a connection to a player; false if the maximum of either is reached. */
  public boolean bind(PubKey player, ClientConnection connection) {
    Map<ClientConnection, Boolean> own = connections.getOrDefault(player, Map.of());
    if (own.containsKey(connection)) {
      return true;
    }
    Set<PubKey> others = playersOf(connection);
    if (own.size() >= MAX_BINDINGS || others.size() >= MAX_BINDINGS) {
      return false;
    }
    Set<PubKey> more = new LinkedHashSet<>(others);
    more.add(player);
    players.put(connection, compact(more));
    put(player, connection, false);
    if (own.isEmpty()) {
      listener.playerConnected(player);
    } else {
      listener.connectionsChanged(player);
    }
    return true;
  }

  private void put(PubKey player, ClientConnection connection, boolean numbered) {
    Map<ClientConnection, Boolean> more =
        new LinkedHashMap<>(connections.getOrDefault(player, Map.of()));
    more.put(connection, numbered);
    connections.put(player, compact(more));
  }

  /** Saves memory, as most players have one connection. */
  private static <K, V> Map<K, V> compact(Map<K, V> map) {
    return map.size() == 1 ? Map.copyOf(map) : map;
  }

  private static <T> Set<T> compact(Set<T> set) {
    return set.size() == 1 ? Set.copyOf(set) : set;
  }

  public void recordDialect(PubKey player, ClientConnection connection, Dialect dialect) {
    lastDialects.put(player, dialect);
    if (dialect.hasNumberedFrames() && !understandsNumbers(player, connection)) {
      put(player, connection, true);
    }
  }

  public BindingState stateOf(PubKey player, ClientConnection connection) {
    return new BindingState(
        isBound(player, connection), understandsNumbers(player, connection), dialectOf(player));
  }

  public void restore(PubKey player, ClientConnection connection, BindingState before) {
    if (isBound(player, connection)) {
      put(player, connection, before.numbers());
    }
    if (before.dialect() == null) {
      lastDialects.remove(player);
    } else if (isPresent(player)) {
      lastDialects.put(player, before.dialect());
    }
  }

  /** The dialect of a player's last event, or null if the player has no bound connection. */
  public @Nullable Dialect dialectOf(PubKey player) {
    return lastDialects.get(player);
  }

  public boolean isBound(PubKey player, ClientConnection connection) {
    return connections.getOrDefault(player, Map.of()).containsKey(connection);
  }

  /** Whether the player has sent an event of a dialect with numbered frames over the connection. */
  public boolean understandsNumbers(PubKey player, ClientConnection connection) {
    return connections.getOrDefault(player, Map.of()).getOrDefault(connection, false);
  }

  public Set<ClientConnection> of(PubKey player) {
    return connections.getOrDefault(player, Map.of()).keySet();
  }

  public Set<PubKey> playersOf(ClientConnection connection) {
    return players.getOrDefault(connection, Set.of());
  }

  public boolean isPresent(PubKey player) {
    return connections.containsKey(player);
  }

  public void unbind(PubKey player, ClientConnection connection) {
    Set<PubKey> own = playersOf(connection);
    if (own.contains(player)) {
      Set<PubKey> rest = new LinkedHashSet<>(own);
      rest.remove(player);
      if (rest.isEmpty()) {
        players.remove(connection);
      } else {
        players.put(connection, compact(rest));
      }
      removeConnection(player, connection);
    }
  }

  public void remove(ClientConnection connection) {
    Set<PubKey> own = players.remove(connection);
    if (own != null) {
      own.forEach(player -> removeConnection(player, connection));
    }
  }

  private void removeConnection(PubKey player, ClientConnection connection) {
    Map<ClientConnection, Boolean> rest = new LinkedHashMap<>(connections.get(player));
    rest.remove(connection);
    if (rest.isEmpty()) {
      connections.remove(player);
      lastDialects.remove(player);
      listener.playerDisconnected(player);
    } else {
      connections.put(player, compact(rest));
      listener.connectionsChanged(player);
    }
  }
}
