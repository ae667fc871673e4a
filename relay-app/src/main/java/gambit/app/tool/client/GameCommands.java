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

  /** Does anything else that a player may do in a running game. */
  CompletableFuture<String> act(GameView game, Act act);

  default boolean hasDrawClaims() {
    return true;
  }

  /** Runs a task on the client's thread after a time, unless the client is closed by then. */
  void later(Duration delay, Runnable task);

  /** What a player may do besides moves: the kind and the content of its event. */
  enum Act {
    OFFER_DRAW(ChessKinds.PROPOSAL, "offer"),
    ASK_TAKEBACK(ChessKinds.PROPOSAL, "takeback"),
    ACCEPT(ChessKinds.PROPOSAL, "accept"),
    DECLINE(ChessKinds.PROPOSAL, "decline"),
    CLAIM_DRAW(ChessKinds.PROPOSAL, "claim"),
    RESIGN(ChessKinds.RESIGNATION, "resign"),
    ABORT(ChessKinds.LOBBY, "abort");

    final int kind;
    final String content;

    Act(int kind, String content) {
      this.kind = kind;
      this.content = content;
    }
  }
}
