package gambit.chess.rules;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * The positions since the last move that cannot be undone, newest first, each as a 64-bit key.
 * Immutable; a node for each ply.
 *
 * <p>The keys are Zobrist sums over numbers that are drawn anew in every process, so that nobody
 * can choose two positions whose keys collide; by chance it happens once in 2⁶⁴ pairs.
 */
record Repetitions(long key, @Nullable Repetitions previous, int occurrences) {
  private static final int CASTLING = 768;
  private static final int EN_PASSANT = CASTLING + 16;
  private static final int TURN = EN_PASSANT + 64;
  private static final long[] NUMBERS = new SecureRandom().longs(TURN + 1).toArray();

  /** The history with one more position; {@code before} is null after an irreversible move. */
  static Repetitions of(long key, @Nullable Repetitions before) {
    int occurrences = 1;
    for (Repetitions at = before; at != null; at = at.previous) {
      if (at.key == key) {
        occurrences = at.occurrences + 1;
        break;
      }
    }
    return new Repetitions(key, before, occurrences);
  }

  /**
   * What makes two positions the same (FIDE 9.2.3): turn, pieces, castling rights, and the en
   * passant square only if a capture there is legal.
   *
   * @param enPassant that square, or -1
   */
  static long key(Board board, Side turn, int castling, int enPassant) {
    long key = NUMBERS[CASTLING + castling];
    for (Side side : Side.values()) {
      for (PieceKind kind : PieceKind.values()) {
        int base = (side.index() * 6 + kind.index()) * 64;
        for (long left = board.of(side, kind); left != 0; left &= left - 1) {
          key ^= NUMBERS[base + Long.numberOfTrailingZeros(left)];
        }
      }
    }
    key ^= enPassant < 0 ? 0 : NUMBERS[EN_PASSANT + enPassant];
    return turn == Side.WHITE ? key : key ^ NUMBERS[TURN];
  }
}
