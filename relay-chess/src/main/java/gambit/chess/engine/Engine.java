package gambit.chess.engine;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Chooses moves. Used by one thread at a time; it keeps its tables, {@value #TABLE_BITS} bits of
 * entries of 16 bytes, but nothing of an earlier position.
 */
public final class Engine {
  private static final int TABLE_BITS = 17;

  /** In the first moves, the choice is among moves that are this close to the best. */
  private static final int OPENING_MARGIN = 20;

  private static final int OPENING_MOVES = 5;

  private final Search.HashTable table = new Search.HashTable(TABLE_BITS);
  private final MoveOrder order = new MoveOrder();
  private final RandomGenerator random;

  /** An engine that chooses by chance among moves of similar value. */
  public Engine(RandomGenerator random) {
    this.random = random;
  }

  /**
   * The result of a search.
   *
   * @param score the value of the best move for the side to move, in hundredths of a pawn
   * @param depth the number of plies of the last complete iteration; 0 if there was none
   */
  public record Thought(Move move, int score, int depth, long nodes) {}

  /**
   * Chooses a move.
   *
   * @param maxNodes the number of positions after which the search ends
   * @param isStopped ends the search when it returns true; called every few milliseconds, as the
   *     interrupted status of the thread is tested, which stays set
   * @throws IllegalArgumentException if there is no legal move
   */
  public Thought think(Position position, Level level, long maxNodes, BooleanSupplier isStopped) {
    List<RootMove> moves = rootMoves(position);
    if (moves.isEmpty()) {
      throw new IllegalArgumentException("no legal move in " + position.fen());
    }
    table.clear();
    order.clear();
    Search search = new Search(maxNodes, isStopped, table, order, level.isQuiescent);
    int margin =
        position.fullmoveNumber() <= OPENING_MOVES
            ? Math.max(level.margin, OPENING_MARGIN)
            : level.margin;
    int depth = 0;
    List<RootMove> candidates = List.of(moves.get(0));
    int best = 0;
    while (depth < level.maxDepth && !search.isSpent() && !isDecided(moves, best, depth)) {
      moves = iterate(search, moves, depth + 1, margin);
      RootMove first = moves.get(0);
      if (first.score > -Search.INFINITE) { // else the search was spent before the first move
        best = first.score;
        boolean isMate = Math.abs(best) > Search.MATE - Search.MAX_PLY;
        int least = isMate ? best : best - margin;
        candidates = moves.stream().filter(move -> move.score >= least).toList();
      }
      depth += search.isSpent() ? 0 : 1;
    }
    Move chosen = candidates.get(random.nextInt(candidates.size())).move;
    return new Thought(chosen, best, depth, search.nodes());
  }

  /** A legal move, and its value in the last iteration; −{@link Search#INFINITE} without one. */
  private record RootMove(Move move, Position next, int score) {
    private RootMove with(int value) {
      return new RootMove(move, next, value);
    }
  }

  private List<RootMove> rootMoves(Position position) {
    List<RootMove> moves = new ArrayList<>();
    for (Move move : order.sorted(position.legalMoves(), position, 0, 0)) {
      moves.add(new RootMove(move, position.play(move).orElseThrow(), -Search.INFINITE));
    }
    return moves;
  }

  /** Whether a deeper search cannot change the choice: one legal move, or a mate seen in full. */
  private static boolean isDecided(List<RootMove> moves, int best, int depth) {
    return depth > 0 && (moves.size() == 1 || Search.MATE - Math.abs(best) <= depth);
  }

  /**
   * Searches all moves to a depth, and sorts them by their values. Values below the best one by
   * more than the margin are bounds. If the search is spent, the moves that were not searched
   * follow.
   */
  private static List<RootMove> iterate(
      Search search, List<RootMove> moves, int depth, int margin) {
    List<RootMove> searched = new ArrayList<>();
    int best = -Search.INFINITE;
    for (RootMove each : moves) {
      int alpha = Math.max(-Search.INFINITE, best - margin - 1);
      int score =
          search.child(each.next, depth - 1, 1, alpha, Search.INFINITE, searched.isEmpty(), 0);
      if (search.isSpent()) {
        break;
      }
      searched.add(each.with(score));
      best = Math.max(best, score);
    }
    for (RootMove rest : moves.subList(searched.size(), moves.size())) {
      searched.add(rest.with(-Search.INFINITE));
    }
    searched.sort(Comparator.comparingInt((RootMove each) -> each.score).reversed());
    return searched;
  }
}
