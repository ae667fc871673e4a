package gambit.core.session;

import gambit.core.feature.ClientConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The notes of the cluster's leader on connections to this node ({@link ClientConnection#keep}).
 * Thread-safe. Bound: a few notes for each open connection; none on a relay that has no cluster.
 */
public final class ConnectionNotes {
  private final Map<ClientConnection, Map<String, byte[]>> notes = new ConcurrentHashMap<>();

  /** Sets or removes a note; a closed connection keeps none. */
  void keep(ClientConnection connection, String key, byte @Nullable [] note) {
    notes.compute(connection, (it, before) -> changed(before, key, note));
    if (!connection.isOpen()) {
      notes.remove(connection);
    }
  }

  private static @Nullable Map<String, byte[]> changed(
      @Nullable Map<String, byte[]> before, String key, byte @Nullable [] note) {
    Map<String, byte[]> after = before == null ? new HashMap<>() : new HashMap<>(before);
    if (note == null) {
      after.remove(key);
    } else {
      after.put(key, note);
    }
    return after.isEmpty() ? null : Map.copyOf(after);
  }

  Map<String, byte[]> of(ClientConnection connection) {
    return notes.getOrDefault(connection, Map.of());
  }

  void remove(ClientConnection connection) {
    notes.remove(connection);
  }
}
