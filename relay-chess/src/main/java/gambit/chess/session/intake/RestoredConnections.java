package gambit.chess.session.intake;

import gambit.chess.dialect.Dialect;
import gambit.chess.session.journal.ChessNotes;
import gambit.chess.session.journal.PlayerNote;
import gambit.chess.session.lobby.RestoredSearches;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.runtime.ConnectionBindings;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.log.LimitedLog;
import gambit.core.model.PubKey;
import org.jspecify.annotations.Nullable;

/**
 * Continues on connections that have outlived the earlier leader of a cluster: binds them again,
 * without telling the client, then continues the searches of their players and sends what these are
 * still owed. Owned by the chess lane.
 */
final class RestoredConnections {
  private static final LimitedLog LOG = LimitedLog.of(RestoredConnections.class);

  private final SessionContext context;
  private final RestoredSearches searches;
  private final ReturningPlayers returning;

  RestoredConnections(
      SessionContext context, RestoredSearches searches, ReturningPlayers returning) {
    this.context = context;
    this.searches = searches;
    this.returning = returning;
  }

  /**
   * Continues on an open connection. Notes of the earlier leader that cannot be read are dropped.
   */
  void resume(ClientConnection connection) {
    if (!connection.isOpen()) {
      return;
    }
    context.bindings().notes().restored(connection);
    ChessNotes notes =
        ChessNotes.read(
            connection.notes(),
            (key, e) -> LOG.warn("The note {} on a connection is unreadable", key, e));
    notes.players().forEach((player, note) -> bind(player, connection, note));
    for (PubKey player : connection.keys()) { // of whose login no leader has heard
      if (!notes.players().containsKey(player)) {
        logIn(player, connection);
      }
    }
    notes.searches().forEach((player, note) -> searches.resume(player, connection, note));
    for (PubKey player : notes.players().keySet()) {
      returning.resumed(player, connection, notes.unshown().contains(player));
    }
  }

  /** Binds a connection that has logged in with a player's key, and notes that. */
  void logIn(PubKey player, ClientConnection connection) {
    ConnectionBindings bindings = context.bindings();
    boolean isNew = connection.isOpen() && !bindings.isBound(player, connection);
    if (isNew && context.bindAfterLogin(player, connection)) {
      bindings.changedNote(player, connection).ifPresent(context::send);
      returning.loggedIn(player, connection);
    }
  }

  private void bind(PubKey player, ClientConnection connection, PlayerNote note) {
    context.bindings().resume(player, connection, note, dialect(note));
  }

  private @Nullable Dialect dialect(PlayerNote note) {
    return context.dialects().stream()
        .filter(it -> it.name().equals(note.dialect()))
        .findAny()
        .orElse(null);
  }
}
