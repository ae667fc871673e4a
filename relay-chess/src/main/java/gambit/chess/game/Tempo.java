package gambit.chess.game;

/**
 * The time limits of one game. Immutable.
 *
 * @param firstMoveMillis how long the first move of either side may take; without meaning in
 *     correspondence and untimed games
 * @param lagMillis how much of the time for each move is not counted, since the network takes it; 0
 *     to 500
 */
public record Tempo(TimeControl control, long firstMoveMillis, long lagMillis) {

  private static final long MOST_LAG = 500;

  /**
   * Takes the limits.
   *
   * @throws IllegalArgumentException when one is out of its bounds
   */
  public Tempo {
    if (firstMoveMillis < 0 || lagMillis < 0 || lagMillis > MOST_LAG) {
      throw new IllegalArgumentException("no limits: " + firstMoveMillis + " " + lagMillis);
    }
  }

  /** Whether a clock runs while a side thinks that has moved before, or has not. */
  boolean runs(boolean hasMoved) {
    return !control.isUntimed() && (hasMoved || control.isCorrespondence());
  }
}
