package gambit.chess.session.lobby;

import gambit.chess.session.journal.ChessNotes;
import gambit.chess.session.journal.SearchNote;
import gambit.chess.session.lobby.SearchQueues.Search;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes searches on connections, from where the next leader of a cluster restores them: on each
 * connection of a player, so that the search outlives any of them. A note belongs to the output of
 * the commit that begins or ends the search. Owned by the chess lane.
 */
final class SearchNotes {
  private final SessionContext context;

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
    List<Outgoing> changes = new ArrayList<>(0);
    for (ClientConnection connection : context.bindings().of(player)) {
      context
          .bindings()
          .notes()
          .change(
              connection, () -> ChessNotes.ofSearch(player, connection, note(search, connection)))
          .ifPresent(changes::add);
    }
    return changes;
  }

  private static @Nullable SearchNote note(@Nullable Search search, ClientConnection connection) {
    return search == null
        ? null
        : new SearchNote(
            search.place(), search.time(), search.colourNotifications().over(connection));
  }
}
