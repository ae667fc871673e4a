package gambit.chess.engine;

import gambit.chess.rules.Move;
import gambit.chess.rules.Piece;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sorts moves so that the best is likely to be first, since alpha-beta then skips most of the
 * others: the move of the hash table, captures of valuable pieces by cheap ones, promotions, killer
 * moves (quiet moves that refuted another move at the same ply), and quiet moves by how often they
 * refuted one anywhere. Used by one thread.
 */
final class MoveOrder {
  private static final int FROM_TABLE = 1 << 28;
  private static final int CAPTURE = 1 << 26;
  private static final int KILLER = 1 << 25;
  private static final int MAX_HISTORY = 1 << 24;

  private final int[][] killers = new int[Search.MAX_PLY + 1][2];
  private final int[][] history = new int[2][64 * 64];

  void clear() {
    for (int[] each : killers) {
      Arrays.fill(each, 0);
    }
    for (int[] each : history) {
      Arrays.fill(each, 0);
    }
  }

  /** A move as a positive number below 2<sup>15</sup>. */
  static int code(Move move) {
    PieceKind promotion = move.promotion();
    return move.from() | move.to() << 6 | (promotion == null ? 0 : promotion.index()) << 12;
  }

  static boolean isQuiet(Position position, Move move) {
    return move.promotion() == null && capturedKind(position, move) == null;
  }

  /** Sorts moves, first that of the hash table by its code, or 0. */
  Move[] sorted(List<Move> moves, Position position, int fromTable, int ply) {
    int count = moves.size();
    long[] ranks = new long[count];
    for (int i = 0; i < count; i++) {
      ranks[i] = (long) -rank(moves.get(i), position, fromTable, ply) << 16 | i;
    }
    Arrays.sort(ranks);
    Move[] sorted = new Move[count];
    for (int i = 0; i < count; i++) {
      sorted[i] = moves.get((int) (ranks[i] & 0xffff));
    }
    return sorted;
  }

  private int rank(Move move, Position position, int fromTable, int ply) {
    int code = code(move);
    if (code == fromTable) {
      return FROM_TABLE;
    }
    PieceKind captured = capturedKind(position, move);
    PieceKind promotion = move.promotion();
    if (captured != null || promotion != null) {
      int gain = captured == null ? 0 : Evaluation.value(captured) * 16;
      return CAPTURE
          + gain
          - Evaluation.value(kindAt(position, move.from()))
          + (promotion == null ? 0 : Evaluation.value(promotion) * 8);
    }
    if (code == killers[ply][0]) {
      return KILLER + 1;
    } else if (code == killers[ply][1]) {
      return KILLER;
    }
    return history[position.turn().index()][code & 0xfff];
  }

  /** Records a quiet move that refuted the opponent's last one. */
  void recordRefutation(Position position, Move move, int depth, int ply) {
    int code = code(move);
    int[] both = killers[ply];
    if (both[0] != code) {
      both[1] = both[0];
      both[0] = code;
    }
    int[] ofSide = history[position.turn().index()];
    ofSide[code & 0xfff] = Math.min(MAX_HISTORY, ofSide[code & 0xfff] + depth * depth);
  }

  /** The kind of piece that a legal move captures, or null. */
  static @Nullable PieceKind capturedKind(Position position, Move move) {
    Optional<Piece> captured = position.at(move.to());
    if (captured.isPresent()) {
      return captured.get().kind();
    }
    boolean isEnPassant =
        (move.from() - move.to()) % 8 != 0 && kindAt(position, move.from()) == PieceKind.PAWN;
    return isEnPassant ? PieceKind.PAWN : null;
  }

  private static PieceKind kindAt(Position position, int square) {
    return position.at(square).orElseThrow().kind();
  }
}
