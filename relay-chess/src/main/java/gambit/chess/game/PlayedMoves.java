package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.PieceKind;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The moves of a game in order, each with its side's clock after it, in eight bytes. Immutable; any
 * thread. Clocks are in tenths of a second, rounded down, at most {@link Integer#MAX_VALUE} (over
 * six years); -1 if untimed. SAN would take more memory than the rest of a game, so it is computed
 * by replay when it is needed.
 */
public final class PlayedMoves {

  public static final PlayedMoves NONE = new PlayedMoves(new long[0]);

  private static final List<PieceKind> PROMOTIONS =
      List.of(PieceKind.KNIGHT, PieceKind.BISHOP, PieceKind.ROOK, PieceKind.QUEEN);

  private final long[] codes;

  private PlayedMoves(long[] codes) {
    this.codes = codes;
  }

  public int size() {
    return codes.length;
  }

  /** The moves in order; built by each call. */
  public List<Move> toList() {
    return Arrays.stream(codes).mapToObj(PlayedMoves::decode).toList();
  }

  /** The mover's clock after each move, in tenths of a second; built by each call. */
  public int[] clocks() {
    return Arrays.stream(codes).mapToInt(code -> (int) (code >> 32)).toArray();
  }

  /**
   * A move and its clock as one number, for {@link #append(long)}.
   *
   * @param ply counted from 0
   */
  public long code(int ply) {
    return codes[ply];
  }

  /** These moves and one more, in the form of {@link #code}. */
  public PlayedMoves append(long code) {
    return append(decode(code), (int) (code >> 32));
  }

  public Move last() {
    if (codes.length == 0) {
      throw new NoSuchElementException("no move yet");
    }
    return decode(codes[codes.length - 1]);
  }

  /**
   * These moves and one more.
   *
   * @param tenths the mover's clock after it, in tenths of a second, or -1
   */
  public PlayedMoves append(Move move, int tenths) {
    long[] longer = Arrays.copyOf(codes, codes.length + 1);
    longer[codes.length] = encode(move) | (long) tenths << 32;
    return new PlayedMoves(longer);
  }

  PlayedMoves takeBack(int plies) {
    return new PlayedMoves(Arrays.copyOf(codes, codes.length - plies));
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
    return other instanceof PlayedMoves that && Arrays.equals(codes, that.codes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(codes);
  }

  /** The moves in UCI, separated by spaces. */
  @Override
  public String toString() {
    return toList().stream().map(Move::uci).collect(Collectors.joining(" "));
  }
}
