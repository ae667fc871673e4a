package gambit.chess.session.lobby;

import gambit.chess.session.journal.ConnectionNotes;
import gambit.chess.session.journal.SearchNote;
import gambit.chess.session.lobby.SearchQueues.Search;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The notes of searches, from which the next leader of a cluster restores them: one on each
 * connection of a player, so that the search outlives any of them. A note belongs to the output of
 * the commit that begins or ends the search. Empty without a cluster; else bounded by the bindings.
 * Owned by the chess lane.
 */
final class SearchNotes {
  private final SessionContext context;

  /** The notes that were made last, also those of pending commits. */
  private final Map<PubKey, Map<ClientConnection, SearchNote>> made = new HashMap<>();

  SearchNotes(SessionContext context) {
    this.context = context;
  }

  /** As {@link #changes}, and sends them without a commit. */
  void update(PubKey player, @Nullable Search search) {
    List<Outgoing> changes = changes(player, search);
    if (!changes.isEmpty()) {
      context.commits().send(changes);
    }
  }

  /**
   * The output that notes a player's search on all connections, or that there is none, as far as
   * that differs from the notes that were made last.
   */
  List<Outgoing> changes(PubKey player, @Nullable Search search) {
    Map<ClientConnection, SearchNote> before = made.getOrDefault(player, Map.of());
    Map<ClientConnection, SearchNote> after =
        search == null ? Map.of() : notes(context.bindings().of(player), search);
    List<Outgoing> changes = new ArrayList<>(0);
    after.forEach(
        (connection, note) -> {
          if (!note.equals(before.get(connection))) {
            changes.add(ConnectionNotes.ofSearch(player, connection, note));
          }
        });
    for (ClientConnection connection : before.keySet()) {
      if (!after.containsKey(connection)) {
        changes.add(ConnectionNotes.ofSearch(player, connection, null));
      }
    }
    if (after.isEmpty()) {
      made.remove(player);
    } else {
      made.put(player, after);
    }
    return changes;
  }

  private static Map<ClientConnection, SearchNote> notes(
      Iterable<ClientConnection> connections, Search search) {
    Map<ClientConnection, SearchNote> notes = new LinkedHashMap<>(2);
    for (ClientConnection connection : connections) {
      if (connection.keepsNotes()) {
        List<SearchNote.Connect> connects = search.colourNotifications().over(connection);
        notes.put(connection, new SearchNote(search.place(), search.time(), connects));
      }
    }
    return notes;
  }

  /** A note that an earlier leader has made is on a connection. */
  void restored(PubKey player, ClientConnection connection, SearchNote note) {
    made.computeIfAbsent(player, p -> new LinkedHashMap<>(2)).put(connection, note);
  }

  /** The player has no connection any more, and so no notes. */
  void forget(PubKey player) {
    made.remove(player);
  }
}
