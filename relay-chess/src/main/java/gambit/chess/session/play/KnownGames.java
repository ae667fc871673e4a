package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.session.journal.GameRows;
import gambit.chess.session.runtime.ConnectionBindings;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Optional;

/**
 * The running games as every node of a cluster needs them for its own clients, whether it leads or
 * follows: who plays, who watches, and which comments are hidden. While the node follows, it learns
 * of games by their rows; then the leader's {@link Games} tell of them. Any thread.
 */
public final class KnownGames {
  private final AnnouncedGames announced = new AnnouncedGames();
  private final GameWatchers watchers = new GameWatchers();
  private final SpectatorCommentGuard commentGuard = new SpectatorCommentGuard(announced);
  private final AwaitedMoves awaited = new AwaitedMoves(announced);
  private final GameRows gameRows;

  /**
   * No games.
   *
   * @param dialects the dialects of their seats
   */
  public KnownGames(List<Dialect> dialects) {
    this.gameRows = new GameRows(dialects);
  }

  /** The games and players that clients know of. */
  public AnnouncedGames announced() {
    return announced;
  }

  /** The moves that the relay waits for. */
  public AwaitedMoves awaited() {
    return awaited;
  }

  /** The connections that follow each game. */
  public GameWatchers watchers() {
    return watchers;
  }

  /** Hides spectators' comments on running games from players. */
  public SpectatorCommentGuard commentGuard() {
    return commentGuard;
  }

  /**
   * This node begins to lead: its {@link Games} await moves from now on.
   *
   * @param bindings by which comments are hidden
   */
  public void lead(ConnectionBindings bindings) {
    commentGuard.lead(bindings);
    awaited.clear();
  }

  /** Whether a player has a running game, or one that is being committed. */
  public boolean isPlaying(PubKey player) {
    return announced.isPlaying(player);
  }

  /**
   * Whether the leader of a cluster must know of a subscription: it is a player's, or names a
   * running game or a player of one.
   */
  public boolean concernLeader(ClientConnection connection, List<Filter> filters) {
    return !connection.keys().isEmpty()
        || commentGuard.hasForwarded(connection)
        || watchers.follow(filters)
        || announced.arePlayersIn(filters);
  }

  /**
   * Follows the leader of a cluster: adds the stored games, and those that begin until this node
   * leads. Called during installation, before rows can change.
   */
  public void follow(RelayBuilder relay) {
    relay.listenToRows(GameRows.TABLE, changed -> changed.forEach(this::rowChanged));
    relay.rows(GameRows.TABLE).forEach((key, row) -> rowChanged(key, Optional.of(row)));
  }

  private void rowChanged(String key, Optional<byte[]> row) {
    if (row.isPresent()) {
      gameRows.gameIn(key, row.get()).ifPresent(this::gameStarted);
      GameRows.turnIn(key, row.get())
          .ifPresent(it -> awaited.gameFollowed(EventId.ofHex(key), it.plies(), it.turn()));
    } else {
      GameRows.gameOf(key).ifPresent(this::gameEnded);
    }
  }

  /** A game is about to be announced. */
  private void gameStarted(GameRef game) {
    watchers.gameStarted(game.id());
    announced.gameStarted(game);
  }

  /** The end of a game is about to be announced. */
  private void gameEnded(EventId game) {
    announced.gameEnded(game);
    awaited.gameEnded(game);
    watchers.gameEnded(game);
  }
}
