package gambit.app.tool.bot;

import gambit.chess.engine.Level;
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

  /** The time for a move to reach the relay and to be committed. */
  static final long COMMIT_MILLIS = 30;

  /** The least and the greatest time of an answer of each level, as parts of the longest time. */
  private static final double[][] REPLY = {
    {0.4, 0.8}, {0.5, 1.0}, {0.6, 1.2}, {0.7, 1.5}, {0.4, 0.6}
  };

  /**
   * The part of the time left that a move may use, from the beginning of the turn until it is
   * committed, in milliseconds: 1/30 and half of the increment, and at most a quarter.
   *
   * @param left milliseconds on the player's clock at the beginning of the turn
   */
  static long share(TimeControl control, long left) {
    return control.isPerMove()
        ? left / 4
        : Math.min(left / 4, left / MOVES_TO_GO + control.incrementMillis() / 2);
  }

  /**
   * Divides the time that is left among the moves to come, and the longest time for a move among
   * the games that wait for the same threads. The first moves are played quickly.
   *
   * @param left milliseconds on the player's clock, or -1 if it is not known or there is none
   * @param waited milliseconds since the turn began
   * @param move the number of the move in the game, from 1
   * @param sharing the number of games that wait for one thread, at least 1
   */
  static ThinkingTime of(
      TimeControl control, long left, long waited, int move, Duration longest, int sharing) {
    long most = longest.toMillis();
    if (move <= OPENING_MOVES) {
      most /= OPENING_DIVISOR;
    }
    long share = left < 0 ? Long.MAX_VALUE : share(control, left + waited);
    most = Math.min(most, share) / Math.max(1, sharing);
    long patience = Math.max(most, LEAST_MILLIS) + PATIENCE_MILLIS;
    if (left >= 0) {
      most = Math.min(most, share - waited - COMMIT_MILLIS);
      patience = Math.min(patience, left / 2);
    }
    long think = Math.max(LEAST_MILLIS, most);
    return new ThinkingTime(Duration.ofMillis(think), Duration.ofMillis(Math.max(think, patience)));
  }

  /**
   * The time from the beginning of the turn before which the move is not sent, although it has been
   * chosen: instant answers irritate people. It is at most half of the move's share.
   *
   * @param left as above, at the beginning of the turn
   * @param lot from 0 to 1
   */
  static Duration reply(Level level, TimeControl control, long left, Duration longest, double lot) {
    double[] range = REPLY[level.number() - 1];
    long millis = (long) (longest.toMillis() * (range[0] + lot * (range[1] - range[0])));
    return Duration.ofMillis(left < 0 ? millis : Math.min(millis, share(control, left) / 2));
  }
}
