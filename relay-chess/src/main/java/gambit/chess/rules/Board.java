package gambit.chess.rules;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pieces on the board, as sets of squares: bit 0 = a1, bit 63 = h8. Immutable. */
final class Board {
  private static final PieceKind[] KINDS = PieceKind.values();
  private static final long DARK = 0xaa55aa55aa55aa55L;

  private final long[] kinds;
  private final long white;
  private final long occupied;
  private final long key;

  private Board(long[] kinds, long white, long occupied, long key) {
    this.kinds = kinds;
    this.white = white;
    this.occupied = occupied;
    this.key = key;
  }

  static final Board EMPTY = new Board(new long[KINDS.length], 0, 0, 0);

  /** The exclusive or of the {@linkplain Repetitions#number numbers} of all pieces. */
  long key() {
    return key;
  }

  long occupied() {
    return occupied;
  }

  long of(Side side) {
    return side == Side.WHITE ? white : occupied & ~white;
  }

  long of(PieceKind kind) {
    return kinds[kind.index()];
  }

  long of(Side side, PieceKind kind) {
    return of(side) & of(kind);
  }

  @Nullable PieceKind kindAt(int square) {
    long bit = 1L << square;
    if ((occupied & bit) != 0) {
      for (PieceKind kind : KINDS) {
        if ((kinds[kind.index()] & bit) != 0) {
          return kind;
        }
      }
    }
    return null;
  }

  Optional<Piece> at(int square) {
    PieceKind kind = kindAt(square);
    return kind == null
        ? Optional.empty()
        : Optional.of(new Piece((white >>> square & 1) != 0 ? Side.WHITE : Side.BLACK, kind));
  }

  Board with(Side side, PieceKind kind, int square) {
    long bit = 1L << square;
    long[] next = kinds.clone();
    next[kind.index()] |= bit;
    return new Board(
        next,
        side == Side.WHITE ? white | bit : white,
        occupied | bit,
        key ^ Repetitions.number(side == Side.WHITE, kind.index(), square));
  }

  /**
   * Moves a piece.
   *
   * @param captured the set of squares whose pieces are removed
   * @param becomes the kind of the piece after the move
   */
  Board moved(int from, int to, long captured, PieceKind becomes) {
    long[] next = kinds.clone();
    long gone = captured | 1L << from;
    boolean isWhite = (white >>> from & 1) != 0;
    long changed = Repetitions.number(isWhite, becomes.index(), to);
    for (int i = 0; i < next.length; i++) {
      for (long left = next[i] & gone; left != 0; left &= left - 1) {
        int square = Long.numberOfTrailingZeros(left);
        changed ^= Repetitions.number((white >>> square & 1) != 0, i, square);
      }
      next[i] &= ~gone;
    }
    next[becomes.index()] |= 1L << to;
    return new Board(
        next,
        isWhite ? white & ~gone | 1L << to : white & ~gone,
        occupied & ~gone | 1L << to,
        key ^ changed);
  }

  boolean attacks(Side side, int square) {
    return attacks(side, square, 0, occupied);
  }

  /**
   * Whether a side attacks a square after a move of the other one.
   *
   * @param captured the set of squares of this side's pieces that the move has removed
   * @param occupied the set of occupied squares after the move
   */
  boolean attacks(Side side, int square, long captured, long occupied) {
    long own = of(side) & ~captured;
    long queens = of(PieceKind.QUEEN);
    return (Attacks.pawn(side.opponent(), square) & own & of(PieceKind.PAWN)) != 0
        || (Attacks.knight(square) & own & of(PieceKind.KNIGHT)) != 0
        || (Attacks.king(square) & own & of(PieceKind.KING)) != 0
        || (Attacks.rook(square, occupied) & own & (of(PieceKind.ROOK) | queens)) != 0
        || (Attacks.bishop(square, occupied) & own & (of(PieceKind.BISHOP) | queens)) != 0;
  }

  int kingOf(Side side) {
    return Long.numberOfTrailingZeros(of(side, PieceKind.KING));
  }

  boolean isInCheck(Side side) {
    return attacks(side.opponent(), kingOf(side));
  }

  /**
   * Whether a side has the material to be able to mate (FIDE 5.2.2, 6.9). It cannot mate with a
   * bare king; with a king and one knight when the opponent has only a king and queens; with a king
   * and bishops when all bishops on the board are on squares of one colour and there is no pawn and
   * no knight.
   */
  boolean canMate(Side side) {
    long own = of(side);
    long others = of(side.opponent());
    if (Long.bitCount(own) == 1) {
      return false;
    }
    long knights = of(PieceKind.KNIGHT);
    long bishops = of(PieceKind.BISHOP);
    boolean oneKnight = Long.bitCount(own) == 2 && (own & knights) != 0;
    if (oneKnight) {
      return (others & ~of(PieceKind.KING) & ~of(PieceKind.QUEEN)) != 0;
    }
    boolean onlyBishops = (own & ~of(PieceKind.KING) & ~bishops) == 0;
    boolean oneColour = (bishops & DARK) == 0 || (bishops & ~DARK) == 0;
    return !(onlyBishops && oneColour && knights == 0 && of(PieceKind.PAWN) == 0);
  }
}
