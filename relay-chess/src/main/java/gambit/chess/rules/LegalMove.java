package gambit.chess.rules;

import java.util.Optional;

/** A legal move, with the positions before and after it. Immutable. */
public record LegalMove(Position before, Move move, Position after) {

  public static Optional<LegalMove> of(Position before, Move move) {
    return before.play(move).map(after -> new LegalMove(before, move, after));
  }
}
