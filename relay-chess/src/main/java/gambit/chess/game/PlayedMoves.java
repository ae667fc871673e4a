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
 * The moves of a game in the order played, each with what its side's clock showed after it, as a
 * persistent list that is cheap to extend.
 *
 * <p>Immutable; any thread. Eight bytes a move, in blocks of 32 that longer games share with the
 * shorter ones they grew from: {@link #append} copies one block at most. Clocks are in tenths of a
 * second, rounded down, and end at {@link Integer#MAX_VALUE} of them (over six years); -1 if
 * untimed. SAN takes more room than all the rest of a game, and is found again by replay when it is
 * asked for.
 */
public final class PlayedMoves {

  /** No moves, as at the start. */
  public static final PlayedMoves NONE = new PlayedMoves(null, new long[0], 0);

  private static final int BLOCK = 32;
  private static final List<PieceKind> PROMOTIONS =
      List.of(PieceKind.KNIGHT, PieceKind.BISHOP, PieceKind.ROOK, PieceKind.QUEEN);

  /** All moves before {@link #block}: null, or a list whose own last block is full. */
  private final @Nullable PlayedMoves earlier;

  private final long[] block;
  private final int size;

  private PlayedMoves(@Nullable PlayedMoves earlier, long[] block, int size) {
    this.earlier = earlier;
    this.block = block;
    this.size = size;
  }

  /** The plies played. */
  public int size() {
    return size;
  }

  /** The moves, first one first; built anew at every call. */
  public List<Move> toList() {
    Move[] moves = new Move[size];
    int at = size;
    for (PlayedMoves part = this; part != null; part = part.earlier) {
      for (int i = part.block.length - 1; i >= 0; i--) {
        moves[--at] = decode(part.block[i]);
      }
    }
    return List.of(moves);
  }

  /** What the mover's clock showed after each of the moves, in tenths; built anew. */
  public int[] clocks() {
    int[] clocks = new int[size];
    int at = size;
    for (PlayedMoves part = this; part != null; part = part.earlier) {
      for (int i = part.block.length - 1; i >= 0; i--) {
        clocks[--at] = (int) (part.block[i] >> 32);
      }
    }
    return clocks;
  }

  /**
   * A move and its clock in one number, as {@link #append(long)} takes it.
   *
   * @param ply from 0; cheap for one of the last 32
   */
  public long code(int ply) {
    PlayedMoves part = this;
    while (part.size - part.block.length > ply) {
      part = Objects.requireNonNull(part.earlier);
    }
    return part.block[ply - (part.size - part.block.length)];
  }

  /**
   * These moves and one more, as {@link #code} gave it.
   *
   * @throws IllegalArgumentException when it is none
   */
  public PlayedMoves append(long code) {
    return append(decode(code), (int) (code >> 32));
  }

  /**
   * The move played last.
   *
   * @throws NoSuchElementException before the first one
   */
  public Move last() {
    if (size == 0) {
      throw new NoSuchElementException("no move yet");
    }
    return decode(block[block.length - 1]);
  }

  /**
   * These moves and one more.
   *
   * @param tenths what the mover's clock shows after it, or -1
   */
  public PlayedMoves append(Move move, int tenths) {
    long code = encode(move) | (long) tenths << 32;
    if (block.length == BLOCK) {
      return new PlayedMoves(this, new long[] {code}, size + 1);
    }
    long[] longer = Arrays.copyOf(block, block.length + 1);
    longer[block.length] = code;
    return new PlayedMoves(earlier, longer, size + 1);
  }

  /**
   * These moves without the last ones.
   *
   * @param plies how many, {@link #size} at most
   */
  PlayedMoves takeBack(int plies) {
    PlayedMoves rest = this;
    for (int i = 0; i < plies; i++) {
      rest = rest.withoutLast();
    }
    return rest;
  }

  private PlayedMoves withoutLast() {
    if (block.length > 1) {
      return new PlayedMoves(earlier, Arrays.copyOf(block, block.length - 1), size - 1);
    }
    return earlier == null ? NONE : earlier;
  }

  /** Six bits from, six bits to, and the promotion's number from 1, or 0. */
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
