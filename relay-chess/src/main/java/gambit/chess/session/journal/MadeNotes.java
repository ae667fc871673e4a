package gambit.chess.session.journal;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The notes that are on connections, or will be when pending commits succeed, so that a note is
 * made again only when it changes. Empty without a cluster; else bounded by the bindings. Owned by
 * the chess lane.
 */
public final class MadeNotes {
  private final Map<ClientConnection, Map<String, byte[]>> made = new HashMap<>();

  /** A connection is known with the notes that were kept on it before. */
  public void restored(ClientConnection connection) {
    if (connection.keepsNotes()) {
      made.put(connection, new HashMap<>(connection.notes()));
    }
  }

  /** A connection's note, if it keeps notes and this one differs from the one made last. */
  public Optional<Outgoing> change(ClientConnection connection, Supplier<Outgoing.Note> current) {
    if (!connection.keepsNotes()) {
      return Optional.empty();
    }
    Outgoing.Note note = current.get();
    Map<String, byte[]> own = made.getOrDefault(connection, Map.of());
    if (Arrays.equals(own.get(note.key()), note.note())) {
      return Optional.empty();
    }
    if (note.note() == null) {
      forget(note);
    } else {
      made.computeIfAbsent(connection, it -> new HashMap<>(4)).put(note.key(), note.note());
    }
    return Optional.of(note);
  }

  /** It is not known whether a note with this key is on the connection. */
  public void forget(Outgoing.Note note) {
    made.computeIfPresent(
        note.on(),
        (connection, own) -> {
          own.remove(note.key());
          return own.isEmpty() ? null : own;
        });
  }

  /** The connection has closed. */
  public void forget(ClientConnection connection) {
    made.remove(connection);
  }
}
