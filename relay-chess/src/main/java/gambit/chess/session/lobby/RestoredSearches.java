package gambit.chess.session.lobby;

import gambit.chess.dialect.Dialect;
import gambit.chess.game.TimeControl;
import gambit.chess.session.journal.SearchNote;
import gambit.chess.session.play.Games;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.model.PubKey;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Continues the searches that the earlier leader of a cluster has noted on connections. Owned by
 * the chess lane.
 */
public final class RestoredSearches {
  private final SessionContext context;
  private final Games games;
  private final SearchQueues queues;
  private final SearchNotes notes;
  private final EndedSearches ended;
  private final Pairing pairing;

  /** The queues with restored searches that are not sorted yet. */
  private final Set<TimeControl> unsorted = new HashSet<>();

  RestoredSearches(
      SessionContext context,
      Games games,
      SearchQueues queues,
      SearchNotes notes,
      EndedSearches ended,
      Pairing pairing) {
    this.context = context;
    this.games = games;
    this.queues = queues;
    this.notes = notes;
    this.ended = ended;
    this.pairing = pairing;
  }

  /**
   * Continues a search, unless it is over or its player has a game by now. Its connects are known
   * again, and are answered with the colour.
   *
   * @param connection one of the player's connections, which is bound already
   */
  public void resume(PubKey player, ClientConnection connection, SearchNote note) {
    if (context.busyPlayers().contains(player)) {
      context.busyPlayers().await(player, () -> resume(player, connection, note));
      return;
    }
    boolean mayQueue =
        !context.settings().simultaneousGames().includes(player)
            && !ended.isOver(player, note.place());
    if (mayQueue && games.of(player).isEmpty() && context.bindings().isBound(player, connection)) {
      if (!queues.contains(player)) {
        ColourNotifications none = new ColourNotifications();
        queues.add(player, new SearchQueues.Search(note.time(), none, note.place()));
        pairRestored(note.time());
      }
      restoreConnects(player, connection, note);
    }
    notes.update(player, queues.of(player));
  }

  private void restoreConnects(PubKey player, ClientConnection connection, SearchNote note) {
    ColourNotifications own = Objects.requireNonNull(queues.colourNotificationsOf(player));
    for (SearchNote.Connect connect : note.connects()) {
      for (Dialect dialect : context.dialects()) {
        if (dialect.name().equals(connect.dialect())) {
          own.add(connection, connect.id(), dialect);
          context.seen().accepted(connect.id(), own);
        }
      }
    }
  }

  /** Pairs restored searches in their former order, once those that are queued are restored. */
  private void pairRestored(TimeControl time) {
    if (unsorted.add(time)) {
      context
          .lane()
          .execute(
              () -> {
                unsorted.remove(time);
                queues.sort(time);
                pairing.pairAll(time);
              });
    }
  }
}
