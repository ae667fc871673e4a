package gambit.chess.rules;

public record Piece(Side side, PieceKind kind) {

  /** The letter of the piece in FEN: upper case for White (PGN standard 16.1.3.1). */
  public char fenLetter() {
    return side == Side.WHITE ? Character.toUpperCase(kind.letter()) : kind.letter();
  }
}
