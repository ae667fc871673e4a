package gambit.chess.engine;

import gambit.chess.rules.Move;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Alpha-beta search (fail-soft negamax) from one position. Scores are in hundredths of a pawn for
 * the side to move; a mate in n plies is {@link #MATE} − n. The search is spent after a number of
 * positions, when the caller's condition holds, or when the thread is interrupted. Used by one
 * thread.
 */
final class Search {
  static final int MATE = 30_000;
  static final int INFINITE = 31_000;

  /** The greatest number of plies from the root, with extensions and captures. */
  static final int MAX_PLY = 100;

  /** The greatest number of plies of an iteration. */
  static final int MAX_DEPTH = 50;

  /** The number of positions between two tests of the condition: some milliseconds. */
  private static final int TEST_INTERVAL = 1024;

  private static final int DRAW = 0;

  /** How much more than the captured piece a capture may gain, by the squares of the pieces. */
  private static final int CAPTURE_GAIN = 180;

  /** A side that is better by this much for each ply left is taken to stay better. */
  private static final int LEAD_BY_PLY = 110;

  private final long maxNodes;
  private final BooleanSupplier isStopped;
  private final HashTable table;
  private final MoveOrder order;
  private final boolean isQuiescent;
  private long nodes;
  private boolean isSpent;

  Search(
      long maxNodes,
      BooleanSupplier isStopped,
      HashTable table,
      MoveOrder order,
      boolean isQuiescent) {
    this.maxNodes = maxNodes;
    this.isStopped = isStopped;
    this.table = table;
    this.order = order;
    this.isQuiescent = isQuiescent;
  }

  /** Counts a position; false if the search must end. */
  private boolean spend() {
    if (!isSpent) {
      nodes++;
      isSpent =
          nodes > maxNodes
              || (nodes % TEST_INTERVAL == 0
                  && (isStopped.getAsBoolean() || Thread.currentThread().isInterrupted()));
    }
    return !isSpent;
  }

  /** Whether the search must end; its current iteration is incomplete then. */
  boolean isSpent() {
    return isSpent;
  }

  long nodes() {
    return nodes;
  }

  /**
   * The value of a position, exact if it is between alpha and beta, and a bound otherwise. It has
   * no meaning once the search is spent.
   *
   * @param ply the number of plies from the root, at least 1
   */
  int value(Position position, int depth, int ply, int alpha, int beta) {
    if (!spend() || isDrawn(position)) {
      return DRAW;
    }
    boolean inCheck = position.inCheck();
    int left = inCheck ? depth + 1 : depth;
    if (left <= 0 || ply >= MAX_PLY) {
      return ply >= MAX_PLY || !isQuiescent
          ? leaf(position, ply)
          : quiet(position, ply, alpha, beta);
    }
    long entry = table.find(position.key());
    if (entry != HashTable.NONE && HashTable.depth(entry) >= left) {
      int score = counted(HashTable.score(entry), -ply);
      int bound = HashTable.bound(entry);
      if (bound == HashTable.EXACT
          || (bound == HashTable.AT_LEAST && score >= beta)
          || (bound == HashTable.AT_MOST && score <= alpha)) {
        return score;
      }
    }
    if (!inCheck && left <= 3 && isQuiescent && Math.abs(beta) < MATE - MAX_PLY) {
      int lead = Evaluation.of(position) - LEAD_BY_PLY * left;
      if (lead >= beta && hasPieces(position)) {
        return lead;
      }
    }
    return best(position, left, ply, alpha, beta, HashTable.move(entry));
  }

  private int best(Position position, int depth, int ply, int alpha, int beta, int fromTable) {
    List<Move> moves = position.legalMoves();
    boolean inCheck = position.inCheck();
    if (moves.isEmpty()) {
      return inCheck ? ply - MATE : DRAW;
    }
    int best = -INFINITE;
    int bestMove = 0;
    int lower = alpha;
    int searched = 0;
    for (Move move : order.sorted(moves, position, fromTable, ply)) {
      Position next = position.play(move).orElseThrow();
      boolean isQuiet = MoveOrder.isQuiet(position, move);
      int reduction = isQuiet && !inCheck ? reduction(next, depth, searched) : 0;
      int score = child(next, depth - 1, ply + 1, lower, beta, searched == 0, reduction);
      if (isSpent) {
        return DRAW;
      }
      searched++;
      if (score > best) {
        best = score;
        bestMove = MoveOrder.code(move);
      }
      lower = Math.max(lower, score);
      if (lower >= beta) {
        if (isQuiet) {
          order.recordRefutation(position, move, depth, ply);
        }
        break;
      }
    }
    int bound =
        best >= beta ? HashTable.AT_LEAST : best > alpha ? HashTable.EXACT : HashTable.AT_MOST;
    table.put(position.key(), bestMove, counted(best, ply), depth, bound);
    return best;
  }

  /**
   * The value of the position after a move. Moves other than the first are expected not to improve
   * the score: a search with an empty window shows that at a lower cost.
   */
  int child(
      Position next, int depth, int ply, int alpha, int beta, boolean isFirst, int reduction) {
    if (!isFirst) {
      int score = -value(next, depth - reduction, ply, -alpha - 1, -alpha);
      if (reduction > 0 && score > alpha) {
        score = -value(next, depth, ply, -alpha - 1, -alpha);
      }
      if (score <= alpha || score >= beta) {
        return score;
      }
    }
    return -value(next, depth, ply, -beta, -alpha);
  }

  /** The number of plies by which a late quiet move is searched less deeply. */
  private static int reduction(Position next, int depth, int searched) {
    if (depth < 3 || searched < 4 || next.inCheck()) {
      return 0;
    }
    return depth >= 5 && searched >= 12 ? 2 : 1;
  }

  /** The value after all captures, each of which a side may decline. */
  private int quiet(Position position, int ply, int alpha, int beta) {
    boolean inCheck = position.inCheck();
    int best = inCheck ? ply - MATE : Evaluation.of(position);
    if (best >= beta || ply >= MAX_PLY) {
      return best;
    }
    int stand = best;
    int lower = Math.max(alpha, best);
    List<Move> moves = inCheck ? position.legalMoves() : position.legalCapturesAndPromotions();
    for (Move move : order.sorted(moves, position, 0, ply)) {
      if (!inCheck && stand + gain(position, move) + CAPTURE_GAIN <= lower) {
        continue;
      }
      Position next = position.play(move).orElseThrow();
      if (!spend()) {
        return DRAW;
      }
      int score = isDrawn(next) ? DRAW : -quiet(next, ply + 1, -beta, -lower);
      if (isSpent) {
        return DRAW;
      }
      if (score > best) {
        best = score;
        lower = Math.max(lower, score);
        if (score >= beta) {
          break;
        }
      }
    }
    return best;
  }

  private static int gain(Position position, Move move) {
    PieceKind captured = MoveOrder.capturedKind(position, move);
    PieceKind promotion = move.promotion();
    return (captured == null ? 0 : Evaluation.value(captured))
        + (promotion == null ? 0 : Evaluation.value(promotion));
  }

  private static int leaf(Position position, int ply) {
    if (position.legalMoves().isEmpty()) {
      return position.inCheck() ? ply - MATE : DRAW;
    }
    return Evaluation.of(position);
  }

  /** Whether the position is drawn; a position that occurs again is taken for a draw. */
  private static boolean isDrawn(Position position) {
    return position.occurrences() >= 2
        || position.halfmoveClock() >= 100
        || (!position.canMate(Side.WHITE) && !position.canMate(Side.BLACK));
  }

  /** Whether the side to move has a piece, so that being forced to move is rarely a loss. */
  private static boolean hasPieces(Position position) {
    Side side = position.turn();
    return (position.squares(side, PieceKind.KNIGHT)
            | position.squares(side, PieceKind.BISHOP)
            | position.squares(side, PieceKind.ROOK)
            | position.squares(side, PieceKind.QUEEN))
        != 0;
  }

  /** The score with a mate counted by more plies: in the table from the position, not the root. */
  private static int counted(int score, int plies) {
    return score > MATE - MAX_PLY * 2
        ? score + plies
        : score < MAX_PLY * 2 - MATE ? score - plies : score;
  }

  /**
   * Results of searches by the key of the position. The size is fixed; a newer result replaces an
   * older one in its place. Used by one thread.
   */
  static final class HashTable {
    /** The score of the position is exactly that, at least that, or at most that. */
    static final int EXACT = 1;

    static final int AT_LEAST = 2;
    static final int AT_MOST = 3;

    /** No entry: the bound of every entry is positive, so no entry is 0. */
    static final long NONE = 0;

    private final long[] keys;
    private final long[] entries;

    /** A table with 2<sup>bits</sup> entries of 16 bytes. */
    HashTable(int bits) {
      keys = new long[1 << bits];
      entries = new long[1 << bits];
    }

    void clear() {
      Arrays.fill(entries, NONE);
    }

    long find(long key) {
      int place = place(key);
      return keys[place] == key ? entries[place] : NONE;
    }

    /** Stores a result; the best move is a {@link MoveOrder#code}, or 0 if there is none. */
    void put(long key, int move, int score, int depth, int bound) {
      int place = place(key);
      keys[place] = key;
      entries[place] =
          (long) score << 32 | (long) (depth & 0xff) << 24 | (long) bound << 16 | (move & 0xffff);
    }

    private int place(long key) {
      return (int) (key ^ key >>> 32) & keys.length - 1;
    }

    static int move(long entry) {
      return (int) (entry & 0xffff);
    }

    static int bound(long entry) {
      return (int) (entry >>> 16 & 0xff);
    }

    static int depth(long entry) {
      return (int) (entry >>> 24 & 0xff);
    }

    static int score(long entry) {
      return (int) (entry >> 32);
    }
  }
}
