package gambit.chess.rules;

import org.jspecify.annotations.Nullable;

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

  /** The kind of a letter in either case, or null. */
  public static @Nullable PieceKind of(char letter) {
    for (PieceKind kind : values()) {
      if (kind.letter == letter || Character.toUpperCase(kind.letter) == letter) {
        return kind;
      }
    }
    return null;
  }

  /** The index of this kind in arrays. It is never stored. */
  public int index() {
    return index;
  }

  /** The lower-case English letter of this kind, as in FEN and UCI. */
  public char letter() {
    return letter;
  }
}
