package gambit.chess.rules;

import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The positions since the last irreversible move, newest first, each as a 64-bit key. Immutable; a
 * node for each ply.
 *
 * <p>The keys are Zobrist hashes over numbers that every process draws anew, so that nobody can
 * construct two positions whose keys collide. By chance, one pair in 2⁶⁴ collides.
 */
record Repetitions(long key, @Nullable Repetitions previous, int occurrences) {
  private static final int CASTLING = 768;
  private static final int EN_PASSANT = CASTLING + 16;
  private static final int TURN = EN_PASSANT + 64;
  private static final long[] NUMBERS = new long[TURN + 1];

  static {
    Arrays.setAll(NUMBERS, i -> drawNumber());
  }

  /**
   * A number by cryptographically strong chance: the first and the last eight digits of a random
   * UUID. ({@code SecureRandom} compiled for a browser would need scripts of its own.)
   */
  private static long drawNumber() {
    String digits = UUID.randomUUID().toString();
    return Long.parseLong(digits.substring(0, 8), 16) << 32
        | Long.parseLong(digits.substring(28), 16);
  }

  /** Adds a position; {@code before} is null after an irreversible move. */
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
   * The key of a position. Two positions are the same (FIDE 9.2.3) if they agree in side to move,
   * pieces, castling rights, and the square on which an en passant capture is legal.
   *
   * @param enPassant the square of a legal en passant capture, or -1
   */
  static long key(Board board, Side turn, int castling, int enPassant) {
    long key = board.key() ^ NUMBERS[CASTLING + castling];
    key ^= enPassant < 0 ? 0 : NUMBERS[EN_PASSANT + enPassant];
    return turn == Side.WHITE ? key : key ^ NUMBERS[TURN];
  }

  static long number(boolean isWhite, int kind, int square) {
    return NUMBERS[((isWhite ? 0 : 6) + kind) * 64 + square];
  }
}
