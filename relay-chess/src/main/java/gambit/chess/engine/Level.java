package gambit.chess.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The strength of the engine. A weaker level searches fewer plies and chooses at random among the
 * moves whose scores are close to the best one.
 */
public enum Level {
  /** Sees the next ply only, and so captures protected pieces and leaves its own unprotected. */
  ONE(1, 1, 120, false),
  /** Sees exchanges after its own move. */
  TWO(2, 1, 70, true),
  /** Sees the threats of the opponent's replies. */
  THREE(3, 3, 40, true),
  /** Sees combinations of two or three moves. */
  FOUR(4, 5, 10, true),
  /** Searches until it is stopped. */
  FIVE(5, Search.MAX_DEPTH, 0, true);

  /** The numbers of all levels, the weakest first. */
  public static final List<Integer> NUMBERS = Arrays.stream(values()).map(Level::number).toList();

  private final int number;
  final int maxDepth;

  /** How much worse than the best move a chosen one may be, in hundredths of a pawn. */
  final int margin;

  /** Whether captures are searched to their end beyond the last ply. */
  final boolean isQuiescent;

  Level(int number, int maxDepth, int margin, boolean isQuiescent) {
    this.number = number;
    this.maxDepth = maxDepth;
    this.margin = margin;
    this.isQuiescent = isQuiescent;
  }

  /** The level of a number from 1 to 5; empty for any other. */
  public static Optional<Level> of(int number) {
    return Arrays.stream(values()).filter(level -> level.number == number).findFirst();
  }

  public int number() {
    return number;
  }
}
