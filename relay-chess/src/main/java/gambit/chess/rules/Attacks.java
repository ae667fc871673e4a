package gambit.chess.rules;

/** The squares that pieces attack, as sets of squares in a long: bit 0 = a1, bit 63 = h8. */
final class Attacks {
  static final long FILE_A = 0x0101010101010101L;
  static final long FILE_H = FILE_A << 7;
  static final long RANK_1 = 0xffL;
  static final long RANK_8 = RANK_1 << 56;

  /** The file and rank steps of a rook's four directions, then of a bishop's four. */
  private static final int[][] DIRECTIONS = {
    {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}
  };

  private static final int[][] KNIGHT_STEPS = {
    {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}
  };

  private static final long[] KNIGHT = steps(KNIGHT_STEPS);
  private static final long[] KING = steps(DIRECTIONS);
  private static final long[][] RAYS = rays();

  private Attacks() {}

  static long knight(int square) {
    return KNIGHT[square];
  }

  static long king(int square) {
    return KING[square];
  }

  /** The squares on which a pawn of the side captures. */
  static long pawn(Side side, int square) {
    long bit = 1L << square;
    return side == Side.WHITE
        ? (bit & ~FILE_A) << 7 | (bit & ~FILE_H) << 9
        : (bit & ~FILE_A) >>> 9 | (bit & ~FILE_H) >>> 7;
  }

  static long rook(int square, long occupied) {
    return ray(0, square, occupied)
        | ray(1, square, occupied)
        | ray(2, square, occupied)
        | ray(3, square, occupied);
  }

  static long bishop(int square, long occupied) {
    return ray(4, square, occupied)
        | ray(5, square, occupied)
        | ray(6, square, occupied)
        | ray(7, square, occupied);
  }

  /** The squares of a ray up to and including the first piece on it. */
  private static long ray(int direction, int square, long occupied) {
    long ray = RAYS[direction][square];
    long blockers = ray & occupied;
    if (blockers == 0) {
      return ray;
    }
    int[] step = DIRECTIONS[direction];
    boolean upwards = step[1] * 8 + step[0] > 0;
    int first =
        upwards ? Long.numberOfTrailingZeros(blockers) : 63 - Long.numberOfLeadingZeros(blockers);
    return ray & ~RAYS[direction][first];
  }

  private static long[] steps(int[][] steps) {
    long[] table = new long[64];
    for (int square = 0; square < 64; square++) {
      for (int[] step : steps) {
        int to = target(square, step, 1);
        table[square] |= to < 0 ? 0 : 1L << to;
      }
    }
    return table;
  }

  private static long[][] rays() {
    long[][] table = new long[DIRECTIONS.length][64];
    for (int direction = 0; direction < DIRECTIONS.length; direction++) {
      for (int square = 0; square < 64; square++) {
        for (int n = 1; target(square, DIRECTIONS[direction], n) >= 0; n++) {
          table[direction][square] |= 1L << target(square, DIRECTIONS[direction], n);
        }
      }
    }
    return table;
  }

  private static int target(int square, int[] step, int times) {
    int file = square % 8 + step[0] * times;
    int rank = square / 8 + step[1] * times;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
  }
}
