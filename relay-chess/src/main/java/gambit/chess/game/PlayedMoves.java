package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.PieceKind;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The moves of a game in order, each with its side's clock after it, as a persistent list that is
 * cheap to extend.
 *
 * <p>Immutable; any thread. A move takes eight bytes, in blocks of 32 that a longer game shares
 * with the shorter one that it extends: {@link #append} copies at most one block. Clocks are in
 * tenths of a second, rounded down, at most {@link Integer#MAX_VALUE} (over six years); -1 if
 * untimed. SAN would take more memory than the rest of a game, so it is computed by replay when it
 * is needed.
 */
public final class PlayedMoves {

  public static final PlayedMoves NONE = new PlayedMoves(null, new long[0], 0);

  private static final int BLOCK_SIZE = 32;
  private static final List<PieceKind> PROMOTIONS =
      List.of(PieceKind.KNIGHT, PieceKind.BISHOP, PieceKind.ROOK, PieceKind.QUEEN);

  /** The moves before {@link #block}: null, or a list whose last block is full. */
  private final @Nullable PlayedMoves earlier;

  private final long[] block;
  private final int size;

  private PlayedMoves(@Nullable PlayedMoves earlier, long[] block, int size) {
    this.earlier = earlier;
    this.block = block;
    this.size = size;
  }

  public int size() {
    return size;
  }

  /** The moves in order; built by each call. */
  public List<Move> toList() {
    return Arrays.stream(codes()).mapToObj(PlayedMoves::decode).toList();
  }

  /** The mover's clock after each move, in tenths of a second; built by each call. */
  public int[] clocks() {
    return Arrays.stream(codes()).mapToInt(code -> (int) (code >> 32)).toArray();
  }

  private long[] codes() {
    long[] codes = new long[size];
    for (PlayedMoves part = this; part != null; part = part.earlier) {
      int length = part.block.length;
      System.arraycopy(part.block, 0, codes, part.size - length, length);
    }
    return codes;
  }

  /**
   * A move and its clock as one number, for {@link #append(long)}.
   *
   * @param ply counted from 0; cheap for the last 32 plies
   */
  public long code(int ply) {
    PlayedMoves part = this;
    while (part.size - part.block.length > ply) {
      part = Objects.requireNonNull(part.earlier);
    }
    return part.block[ply - (part.size - part.block.length)];
  }

  /** These moves and one more, in the form of {@link #code}. */
  public PlayedMoves append(long code) {
    return append(decode(code), (int) (code >> 32));
  }

  public Move last() {
    if (size == 0) {
      throw new NoSuchElementException("no move yet");
    }
    return decode(block[block.length - 1]);
  }

  /**
   * These moves and one more.
   *
   * @param tenths the mover's clock after it, in tenths of a second, or -1
   */
  public PlayedMoves append(Move move, int tenths) {
    long code = encode(move) | (long) tenths << 32;
    if (block.length == BLOCK_SIZE) {
      return new PlayedMoves(this, new long[] {code}, size + 1);
    }
    long[] longer = Arrays.copyOf(block, block.length + 1);
    longer[block.length] = code;
    return new PlayedMoves(earlier, longer, size + 1);
  }

  PlayedMoves takeBack(int plies) {
    int kept = block.length - plies;
    if (kept > 0) {
      return new PlayedMoves(earlier, Arrays.copyOf(block, kept), size - plies);
    }
    return earlier == null ? NONE : earlier.takeBack(-kept);
  }

  /** Six bits for the origin, six for the target, and the promotion's number from 1, or 0. */
  private static int encode(Move move) {
    PieceKind promotion = move.promotion();
    int kind = promotion == null ? 0 : PROMOTIONS.indexOf(promotion) + 1;
    return move.from() | move.to() << 6 | kind << 12;
  }

  private static Move decode(long code) {
    int kind = (int) code >> 12 & 7;
    return new Move(
        (int) code & 63, (int) code >> 6 & 63, kind == 0 ? null : PROMOTIONS.get(kind - 1));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PlayedMoves that
        && size == that.size
        && Arrays.equals(block, that.block)
        && Objects.equals(earlier, that.earlier);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hashCode(earlier) + Arrays.hashCode(block);
  }

  /** The moves in UCI, separated by spaces. */
  @Override
  public String toString() {
    return toList().stream().map(Move::uci).collect(Collectors.joining(" "));
  }
}
