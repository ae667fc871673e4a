package gambit.chess.session.play;

import gambit.chess.rules.Side;
import gambit.core.model.PubKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The running games by player. Keeps the awaited moves and the comment guard consistent with them.
 * Owned by the chess lane, except for {@link #of} and {@link #size}.
 */
final class RunningGames {
  private final Map<PubKey, GameSession> games = new ConcurrentHashMap<>();
  private final AwaitedMoves awaited;
  private final SpectatorCommentGuard commentGuard;

  RunningGames(AwaitedMoves awaited, SpectatorCommentGuard commentGuard) {
    this.awaited = awaited;
    this.commentGuard = commentGuard;
  }

  AwaitedMoves awaited() {
    return awaited;
  }

  SpectatorCommentGuard commentGuard() {
    return commentGuard;
  }

  /** The running game of a player, or null. Any thread. */
  @Nullable GameSession of(PubKey player) {
    return games.get(player);
  }

  /** The number of games. Any thread. */
  int size() {
    return games.size() / 2;
  }

  boolean contains(GameSession game) {
    return games.get(game.ref().white().player()) == game;
  }

  void add(GameSession game) {
    game.players().forEach(player -> games.put(player, game));
    commentGuard.gameStarted(game.ref());
    awaited.gameCommitted(game.ref(), game.game());
  }

  /** Removes a game, or one that could not begin. */
  void remove(GameSession game) {
    for (Side side : Side.values()) {
      games.remove(game.ref().player(side), game);
    }
    commentGuard.gameEnded(game.id());
    awaited.gameEnded(game.ref());
  }
}
