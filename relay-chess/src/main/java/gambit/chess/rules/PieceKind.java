package gambit.chess.rules;

/** What a piece is, whoever owns it. */
public enum PieceKind {
  PAWN('p'),
  KNIGHT('n'),
  BISHOP('b'),
  ROOK('r'),
  QUEEN('q'),
  KING('k');

  private final char letter;

  PieceKind(char letter) {
    this.letter = letter;
  }

  /** Its lower-case English letter, as in FEN and UCI. */
  public char letter() {
    return letter;
  }
}
