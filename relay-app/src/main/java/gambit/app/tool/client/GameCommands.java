package gambit.app.tool.client;

import gambit.chess.rules.Move;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The commands of a player in running games. Methods may be called by any thread; results are
 * completed on the client's thread, and fail as those of {@link PlayerClient} do.
 */
public interface GameCommands {
  /** Plays a move in the position of a view, and may offer a draw with it. */
  CompletableFuture<String> move(GameView game, Move move, boolean offerDraw);

  CompletableFuture<String> acceptProposal(GameView game);

  CompletableFuture<String> declineProposal(GameView game);

  /** Claims a draw by threefold repetition or the fifty-move rule. */
  CompletableFuture<String> claimDraw(GameView game);

  default boolean hasDrawClaims() {
    return true;
  }

  CompletableFuture<String> resign(GameView game);

  /** Runs a task on the client's thread after a time, unless the client is closed by then. */
  void later(Duration delay, Runnable task);
}
