package gambit.chess.rules;

/**
 * The material that a side needs to be able to mate (FIDE 5.2.2, 6.9). A side cannot mate with a
 * bare king; with a king and one knight when the opponent has only a king and queens; with a king
 * and bishops when all bishops on the board are on squares of one colour and there is no pawn and
 * no knight.
 */
final class MatingMaterial {
  private static final long DARK = 0xaa55aa55aa55aa55L;

  private MatingMaterial() {}

  static boolean canMate(Board board, Side side) {
    long own = board.of(side);
    long others = board.of(side.opponent());
    if (Long.bitCount(own) == 1) {
      return false;
    }
    long knights = board.of(PieceKind.KNIGHT);
    long bishops = board.of(PieceKind.BISHOP);
    boolean oneKnight = Long.bitCount(own) == 2 && (own & knights) != 0;
    if (oneKnight) {
      return (others & ~board.of(PieceKind.KING) & ~board.of(PieceKind.QUEEN)) != 0;
    }
    boolean onlyBishops = (own & ~board.of(PieceKind.KING) & ~bishops) == 0;
    boolean oneColour = (bishops & DARK) == 0 || (bishops & ~DARK) == 0;
    return !(onlyBishops && oneColour && knights == 0 && board.of(PieceKind.PAWN) == 0);
  }
}
