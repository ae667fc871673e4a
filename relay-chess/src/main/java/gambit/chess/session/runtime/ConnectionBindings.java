package gambit.chess.session.runtime;

import gambit.chess.dialect.Dialect;
import gambit.chess.session.journal.ChessNotes;
import gambit.chess.session.journal.MadeNotes;
import gambit.chess.session.journal.PlayerNote;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
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
  private final Map<PubKey, LastDialect> lastDialects = new HashMap<>();
  private final MadeNotes notes = new MadeNotes();
  private final PresenceListener listener;

  /** The dialect of a player's last event, and a number that grows with each change of it. */
  private record LastDialect(Dialect dialect, int change) {}

  /**
   * The state of a player and one connection, to be restored if a request fails.
   *
   * @param numbers whether the connection understands numbered frames
   * @param dialect the dialect of the player's last event over any connection
   */
  public record BindingState(boolean isBound, boolean numbers, @Nullable Dialect dialect) {}

  /** Is notified when players become present or absent. */
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

  /** Records the dialect of a player's event over a bound connection. */
  public void recordDialect(PubKey player, ClientConnection connection, Dialect dialect) {
    setDialect(player, dialect);
    if (dialect.hasNumberedFrames() && !understandsNumbers(player, connection)) {
      put(player, connection, true);
    }
  }

  private void setDialect(PubKey player, Dialect dialect) {
    LastDialect last = lastDialects.get(player);
    if (last == null || last.dialect() != dialect) {
      lastDialects.put(player, new LastDialect(dialect, last == null ? 1 : last.change() + 1));
    }
  }

  /** The current state of a player and a connection. */
  public BindingState stateOf(PubKey player, ClientConnection connection) {
    return new BindingState(
        isBound(player, connection), understandsNumbers(player, connection), dialectOf(player));
  }

  /** Restores the state before a request that has failed. */
  public void restore(PubKey player, ClientConnection connection, BindingState before) {
    if (isBound(player, connection)) {
      put(player, connection, before.numbers());
    }
    if (before.dialect() == null) {
      lastDialects.remove(player);
    } else if (isPresent(player)) {
      setDialect(player, before.dialect());
    }
  }

  /** The dialect of a player's last event, or null if the player has no bound connection. */
  public @Nullable Dialect dialectOf(PubKey player) {
    LastDialect last = lastDialects.get(player);
    return last == null ? null : last.dialect();
  }

  /**
   * The output that notes the state of a player and a connection for the next leader of a cluster,
   * if that differs from the note that was made last.
   */
  public Optional<Outgoing> changedNote(PubKey player, ClientConnection connection) {
    return notes.change(connection, () -> note(player, connection));
  }

  private Outgoing.Note note(PubKey player, ClientConnection connection) {
    LastDialect last = lastDialects.get(player);
    PlayerNote current =
        new PlayerNote(
            understandsNumbers(player, connection),
            last == null ? null : last.dialect().name(),
            last == null ? 0 : last.change());
    return ChessNotes.ofPlayer(player, connection, isBound(player, connection) ? current : null);
  }

  /** As {@link #changedNote}, when the last note was not kept because a commit has failed. */
  Optional<Outgoing> noteAfterFailure(PubKey player, ClientConnection connection) {
    notes.forget(note(player, connection));
    return changedNote(player, connection);
  }

  /**
   * Restores the binding that an earlier leader of the cluster has noted, unless the maximum is
   * reached.
   *
   * @param dialect the dialect that the note names, or null
   */
  public void resume(
      PubKey player, ClientConnection connection, PlayerNote note, @Nullable Dialect dialect) {
    if (!bind(player, connection)) {
      return;
    }
    if (note.numbers()) {
      put(player, connection, true);
    }
    LastDialect last = lastDialects.get(player);
    if (dialect != null && (last == null || last.change() < note.change())) {
      lastDialects.put(player, new LastDialect(dialect, note.change()));
    }
  }

  /** The notes that are made on connections; those on a closed connection are forgotten. */
  public MadeNotes notes() {
    return notes;
  }

  public boolean isBound(PubKey player, ClientConnection connection) {
    return connections.getOrDefault(player, Map.of()).containsKey(connection);
  }

  /** Whether the player has sent an event of a dialect with numbered frames over the connection. */
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

  /** Removes one binding. */
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

  /** Removes a closed connection. */
  public void remove(ClientConnection connection) {
    notes.forget(connection);
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
