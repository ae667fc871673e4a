package gambit.chess.engine;

import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;

/**
 * The value of a position without a search, in hundredths of a pawn: material, the squares of the
 * pieces, and the structure of the pawns. Each has a value for the middlegame and one for the
 * endgame; the material that is left interpolates between them. Pure functions.
 */
final class Evaluation {
  private static final PieceKind[] KINDS = PieceKind.values();

  /** The values of pawn, knight, bishop, rook, queen and king. */
  private static final int[] MIDDLEGAME_VALUES = {90, 325, 340, 480, 980, 0};

  private static final int[] ENDGAME_VALUES = {115, 300, 320, 530, 950, 0};

  /** How much each kind counts towards the middlegame; both sides have 24 in the first position. */
  private static final int[] PHASES = {0, 1, 1, 2, 4, 0};

  private static final int FULL_PHASE = 24;

  /** Bonuses by the rank of a piece, seen from its own side, for each kind. */
  private static final int[][] MIDDLEGAME_RANKS = {
    {0, 0, -4, 4, 12, 25, 50, 0},
    {-28, -10, 4, 10, 16, 18, 6, -20},
    {-12, 4, 4, 6, 8, 6, 0, -10},
    {0, -6, -6, -4, 0, 4, 22, 8},
    {0, 4, 2, 0, -2, -4, -6, -8},
    {14, 0, -30, -50, -60, -70, -80, -90},
  };

  private static final int[][] ENDGAME_RANKS = {
    {0, 0, 4, 14, 30, 58, 95, 0},
    {-20, -8, 0, 8, 10, 6, -4, -16},
    {-8, -2, 2, 5, 5, 3, 0, -6},
    {0, 0, 0, 2, 4, 6, 8, 6},
    {-16, -8, 0, 8, 14, 14, 10, 4},
    {-30, -10, 4, 14, 20, 20, 12, -10},
  };

  /** Bonuses by the distance of a piece's file from the edge, for each kind. */
  private static final int[][] MIDDLEGAME_FILES = {
    {-6, -2, 2, 12},
    {-20, -4, 6, 10},
    {-6, 4, 4, 4},
    {-4, 0, 4, 8},
    {-4, 0, 2, 2},
    {12, 22, -6, -10}
  };

  private static final int[][] ENDGAME_FILES = {
    {4, 2, 0, 0}, {-16, -4, 4, 8}, {-4, 0, 2, 4}, {0, 0, 0, 0}, {-8, 0, 6, 10}, {-16, -2, 6, 10}
  };

  private static final int BISHOP_PAIR = 32;
  private static final int DOUBLED_PAWN = 12;
  private static final int ISOLATED_PAWN = 12;
  private static final int SHELTER_PAWN = 12;
  private static final int ROOK_ON_OPEN_FILE = 18;

  /** The bonus of a passed pawn by its rank, twice as much in the endgame. */
  private static final int[] PASSED_PAWN = {0, 4, 6, 12, 24, 42, 65, 0};

  private static final long FILE_A = 0x0101010101010101L;

  private Evaluation() {}

  /** The approximate value of a kind of piece; a king's is 0. */
  static int value(PieceKind kind) {
    return MIDDLEGAME_VALUES[kind.index()];
  }

  /** The value of a position for the side to move. */
  static int of(Position position) {
    Sum sum = new Sum();
    sum.add(position, Side.WHITE, 1);
    sum.add(position, Side.BLACK, -1);
    int phase = Math.min(FULL_PHASE, sum.phase);
    int score = (sum.middlegame * phase + sum.endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    score += bareKing(position, Side.BLACK) - bareKing(position, Side.WHITE);
    return position.turn() == Side.WHITE ? score : -score;
  }

  /** The values of both sides, Black's negative. */
  private static final class Sum {
    private int middlegame;
    private int endgame;
    private int phase;

    private void add(Position position, Side side, int sign) {
      long pawns = position.squares(side, PieceKind.PAWN);
      long enemyPawns = position.squares(side.opponent(), PieceKind.PAWN);
      for (PieceKind kind : KINDS) {
        int k = kind.index();
        for (long left = position.squares(side, kind); left != 0; left &= left - 1) {
          int square = Long.numberOfTrailingZeros(left);
          int rank = side == Side.WHITE ? square >> 3 : 7 - (square >> 3);
          int file = Math.min(square & 7, 7 - (square & 7));
          middlegame +=
              sign * (MIDDLEGAME_VALUES[k] + MIDDLEGAME_RANKS[k][rank] + MIDDLEGAME_FILES[k][file]);
          endgame += sign * (ENDGAME_VALUES[k] + ENDGAME_RANKS[k][rank] + ENDGAME_FILES[k][file]);
          phase += PHASES[k];
          if (kind == PieceKind.PAWN) {
            addPawn(sign, side, square, pawns, enemyPawns);
          } else if (kind == PieceKind.ROOK && (fileOf(square) & (pawns | enemyPawns)) == 0) {
            middlegame += sign * ROOK_ON_OPEN_FILE;
          } else if (kind == PieceKind.KING) {
            middlegame += sign * SHELTER_PAWN * Long.bitCount(shelter(side, square) & pawns);
          }
        }
      }
      if (Long.bitCount(position.squares(side, PieceKind.BISHOP)) >= 2) {
        middlegame += sign * BISHOP_PAIR;
        endgame += sign * BISHOP_PAIR;
      }
    }

    private void addPawn(int sign, Side side, int square, long pawns, long enemyPawns) {
      long file = fileOf(square);
      long neighbours = neighbourFiles(square);
      long ahead = ahead(side, square);
      if ((file & ahead & pawns) != 0) {
        middlegame -= sign * DOUBLED_PAWN;
        endgame -= sign * DOUBLED_PAWN;
      }
      if ((neighbours & pawns) == 0) {
        middlegame -= sign * ISOLATED_PAWN;
        endgame -= sign * ISOLATED_PAWN;
      }
      if (((file | neighbours) & ahead & enemyPawns) == 0) {
        int rank = side == Side.WHITE ? square >> 3 : 7 - (square >> 3);
        middlegame += sign * PASSED_PAWN[rank];
        endgame += sign * 2 * PASSED_PAWN[rank];
      }
    }
  }

  private static long fileOf(int square) {
    return FILE_A << (square & 7);
  }

  private static long neighbourFiles(int square) {
    int file = square & 7;
    return (file == 0 ? 0 : FILE_A << (file - 1)) | (file == 7 ? 0 : FILE_A << (file + 1));
  }

  /** All squares on ranks beyond a square, seen from a side. */
  private static long ahead(Side side, int square) {
    int rank = square >> 3;
    return side == Side.WHITE ? (rank == 7 ? 0 : -1L << 8 * (rank + 1)) : (1L << 8 * rank) - 1;
  }

  /** The three files around a king, on the two ranks before it. */
  private static long shelter(Side side, int square) {
    int beyond = side == Side.WHITE ? Math.min(63, square + 16) : Math.max(0, square - 16);
    long twoRanks = ahead(side, square) & ~ahead(side, beyond);
    return (fileOf(square) | neighbourFiles(square)) & twoRanks;
  }

  /**
   * The bonus of a side whose opponent has nothing but a king: it grows with the distance of that
   * king from the centre and with the nearness of the own king, which leads to the mate.
   */
  private static int bareKing(Position position, Side loser) {
    for (PieceKind kind : KINDS) {
      if (kind != PieceKind.KING && position.squares(loser, kind) != 0) {
        return 0;
      }
    }
    int lost = Long.numberOfTrailingZeros(position.squares(loser, PieceKind.KING));
    int own = Long.numberOfTrailingZeros(position.squares(loser.opponent(), PieceKind.KING));
    int fromCentre = fromCentre(lost & 7) + fromCentre(lost >> 3);
    int apart = Math.abs((lost & 7) - (own & 7)) + Math.abs((lost >> 3) - (own >> 3));
    return 20 * fromCentre + 4 * (14 - apart);
  }

  private static int fromCentre(int coordinate) {
    return Math.max(3 - coordinate, coordinate - 4);
  }
}
