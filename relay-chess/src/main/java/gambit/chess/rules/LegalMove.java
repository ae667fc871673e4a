package gambit.chess.rules;

import java.util.Optional;

/**
 * A move that was found to be legal, and the position after it. Immutable.
 *
 * @param before the position in which it is legal
 */
public record LegalMove(Position before, Move move, Position after) {

  /** Plays a move; nothing when it is not legal. */
  public static Optional<LegalMove> of(Position before, Move move) {
    return before.play(move).map(after -> new LegalMove(before, move, after));
  }
}
