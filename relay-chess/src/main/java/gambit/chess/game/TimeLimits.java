package gambit.chess.game;

/**
 * The time limits of one game. Immutable.
 *
 * @param firstMoveMillis the limit for the first move of either side; ignored in correspondence and
 *     untimed games
 * @param lagMillis the lag allowance: the time of each move that is not charged, 0 to 500
 */
public record TimeLimits(TimeControl control, long firstMoveMillis, long lagMillis) {

  private static final long MAX_LAG_MILLIS = 500;

  public TimeLimits {
    if (firstMoveMillis < 0 || lagMillis < 0 || lagMillis > MAX_LAG_MILLIS) {
      throw new IllegalArgumentException(
          "limits out of bounds: first move " + firstMoveMillis + " ms, lag " + lagMillis + " ms");
    }
  }

  /** Whether the clock of the side to move runs, given whether that side has moved before. */
  boolean runs(boolean hasMoved) {
    return !control.isUntimed() && (hasMoved || control.isCorrespondence());
  }
}
