package gambit.chess.rules;

/** The castling rights as four bits, in FEN's order K, Q, k, q (FIDE 3.8.2). */
final class Castling {
  private static final String LETTERS = "KQkq";

  private Castling() {}

  static int right(Side side, boolean kingside) {
    return 1 << (side.index() * 2 + (kingside ? 0 : 1));
  }

  /** The rights that remain after a piece has left or reached a square. */
  static int after(int rights, int square) {
    return switch (square) {
      case 0 -> rights & ~right(Side.WHITE, false);
      case 4 -> rights & ~right(Side.WHITE, true) & ~right(Side.WHITE, false);
      case 7 -> rights & ~right(Side.WHITE, true);
      case 56 -> rights & ~right(Side.BLACK, false);
      case 60 -> rights & ~right(Side.BLACK, true) & ~right(Side.BLACK, false);
      case 63 -> rights & ~right(Side.BLACK, true);
      default -> rights;
    };
  }

  /** Reads the castling field of FEN; -1 if it is malformed. */
  static int parse(String field) {
    if (field.equals("-")) {
      return 0;
    }
    int rights = 0;
    int last = -1;
    for (int i = 0; i < field.length(); i++) {
      int right = LETTERS.indexOf(field.charAt(i));
      if (right <= last) {
        return -1;
      }
      rights |= 1 << right;
      last = right;
    }
    return field.isEmpty() ? -1 : rights;
  }

  static String fen(int rights) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      if ((rights >> i & 1) != 0) {
        out.append(LETTERS.charAt(i));
      }
    }
    return out.isEmpty() ? "-" : out.toString();
  }

  /** Whether the kings and rooks that have rights are on their original squares. */
  static boolean fits(int rights, Board board) {
    for (Side side : Side.values()) {
      int home = side == Side.WHITE ? 0 : 56;
      for (boolean kingside : new boolean[] {true, false}) {
        boolean has = (rights & right(side, kingside)) != 0;
        long rook = 1L << (home + (kingside ? 7 : 0));
        if (has
            && (board.kingOf(side) != home + 4 || (board.of(side, PieceKind.ROOK) & rook) == 0)) {
          return false;
        }
      }
    }
    return true;
  }
}
