package gambit.chess.rules;

/** What a piece is, whoever owns it. */
public enum PieceKind {
  PAWN(0, 'p'),
  KNIGHT(1, 'n'),
  BISHOP(2, 'b'),
  ROOK(3, 'r'),
  QUEEN(4, 'q'),
  KING(5, 'k');

  private final int index;
  private final char letter;

  PieceKind(int index, char letter) {
    this.index = index;
    this.letter = letter;
  }

  /** Its place in arrays of six, in memory only. */
  int index() {
    return index;
  }

  /** Its lower-case English letter, as in FEN and UCI. */
  public char letter() {
    return letter;
  }
}
