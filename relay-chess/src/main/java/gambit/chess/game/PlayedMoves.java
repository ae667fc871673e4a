package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.PieceKind;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The moves of a game in the order played, as a persistent list that is cheap to extend.
 *
 * <p>Immutable; any thread. Two bytes a move, in blocks of 32 that longer games share with the
 * shorter ones they grew from: {@link #append} copies one block at most. Moves only: SAN takes
 * three times the room of all the rest of a game, and is found again by replay when it is asked
 * for.
 */
public final class PlayedMoves {

  static final PlayedMoves NONE = new PlayedMoves(null, new char[0], 0);

  private static final int BLOCK = 32;
  private static final List<PieceKind> PROMOTIONS =
      List.of(PieceKind.KNIGHT, PieceKind.BISHOP, PieceKind.ROOK, PieceKind.QUEEN);

  /** All moves before {@link #block}: null, or a list whose own last block is full. */
  private final @Nullable PlayedMoves earlier;

  private final char[] block;
  private final int size;

  private PlayedMoves(@Nullable PlayedMoves earlier, char[] block, int size) {
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

  PlayedMoves append(Move move) {
    if (block.length == BLOCK) {
      return new PlayedMoves(this, new char[] {encode(move)}, size + 1);
    }
    char[] longer = Arrays.copyOf(block, block.length + 1);
    longer[block.length] = encode(move);
    return new PlayedMoves(earlier, longer, size + 1);
  }

  /** Six bits from, six bits to, and the promotion's number from 1, or 0. */
  private static char encode(Move move) {
    PieceKind promotion = move.promotion();
    int kind = promotion == null ? 0 : PROMOTIONS.indexOf(promotion) + 1;
    return (char) (move.from() | move.to() << 6 | kind << 12);
  }

  private static Move decode(char code) {
    int kind = code >> 12;
    return new Move(code & 63, code >> 6 & 63, kind == 0 ? null : PROMOTIONS.get(kind - 1));
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
