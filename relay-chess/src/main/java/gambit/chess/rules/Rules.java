package gambit.chess.rules;

import java.util.Optional;

/** Where positions come from. */
public final class Rules {
  private static final Position INITIAL =
      parseFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").orElseThrow();

  private Rules() {}

  /** The position in which a game begins. */
  public static Position initial() {
    return INITIAL;
  }

  /**
   * Reads FEN strictly (PGN 16.1): six fields with single spaces, one king a side, at most 16
   * pieces and 8 pawns a side and no pawn on the last ranks, castling and en passant fields that
   * fit the pieces, canonical numbers, and the side that is not to move not in check.
   */
  public static Optional<Position> parseFen(String fen) {
    return Fen.parse(fen).map(position -> position);
  }
}
