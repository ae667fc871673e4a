package gambit.app.tool.bot;

import gambit.chess.game.TimeControl;
import java.time.Duration;

/**
 * How long to think about a move.
 *
 * @param think the time for the search
 * @param patience the time after which any move must be sent, so that the clock does not run out
 */
record ThinkingTime(Duration think, Duration patience) {
  private static final long LEAST_MILLIS = 10;
  private static final long PATIENCE_MILLIS = 3000;
  private static final int MOVES_TO_GO = 30;
  private static final int OPENING_MOVES = 5;
  private static final int OPENING_DIVISOR = 4;

  /**
   * Divides the time that is left among the moves to come, and the longest time for a move among
   * the games that wait for the same threads. The first moves are played quickly.
   *
   * @param left milliseconds on the player's clock, or -1 if it is not known or there is none
   * @param move the number of the move in the game, from 1
   * @param sharing the number of games that wait for one thread, at least 1
   */
  static ThinkingTime of(TimeControl control, long left, int move, Duration longest, int sharing) {
    long most = longest.toMillis() / Math.max(1, sharing);
    if (move <= OPENING_MOVES) {
      most /= OPENING_DIVISOR;
    }
    long patience = Math.max(most, LEAST_MILLIS) + PATIENCE_MILLIS;
    if (left >= 0) {
      long share =
          control.isPerMove()
              ? left / 4
              : Math.min(left / 4, left / MOVES_TO_GO + control.incrementMillis() / 2);
      most = Math.min(most, share);
      patience = Math.min(patience, left / 2);
    }
    long think = Math.max(LEAST_MILLIS, most);
    return new ThinkingTime(Duration.ofMillis(think), Duration.ofMillis(Math.max(think, patience)));
  }
}
