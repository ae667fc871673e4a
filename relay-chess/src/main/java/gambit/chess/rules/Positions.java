package gambit.chess.rules;

import java.util.Optional;

/** Creates positions: the initial one, or one from FEN. */
public final class Positions {
  /** The highest move number of a position from which a game may begin. */
  public static final int MAX_FIRST_MOVE = 9999;

  private static final Position INITIAL =
      parseFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").orElseThrow();

  private Positions() {}

  /** The initial position of chess. */
  public static Position initial() {
    return INITIAL;
  }

  /**
   * Reads FEN strictly (PGN 16.1); empty if the text is malformed. It must have six fields
   * separated by single spaces. Each side has one king, at most 16 pieces and at most 8 pawns, and
   * no pawn on the first or last rank. The castling and en passant fields fit the pieces, the
   * numbers are canonical, and the side that is not to move is not in check.
   */
  public static Optional<Position> parseFen(String fen) {
    return Fen.parse(fen);
  }
}
