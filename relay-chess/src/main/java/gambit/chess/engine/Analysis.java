package gambit.chess.engine;

import gambit.chess.engine.Search.HashTable;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Searches positions for their best lines, at full strength, with each iteration one ply deeper.
 * Used by one thread. It has a table of 2<sup>{@value #TABLE_BITS}</sup> entries of 16 bytes, which
 * it keeps from one position to the next.
 */
public final class Analysis {
  private static final int TABLE_BITS = 20;

  private final HashTable table = new HashTable(TABLE_BITS);
  private final MoveOrder order = new MoveOrder();
  private Search search = new Search(0, () -> true, table, order, true);
  private List<RootMove> moves = List.of(); // the best first, as far as they are known
  private List<Line> lines = List.of();
  private int wanted;
  private int depth;

  private record RootMove(Move move, Position next) {}

  /**
   * A best move and the moves expected after it.
   *
   * @param score its value for the side to move, in hundredths of a pawn or a mate
   * @param moves legal moves, at least one
   */
  public record Line(int score, List<Move> moves) {
    /**
     * The number of moves to the mate, negative if the side to move is mated; empty if the score is
     * not a mate.
     */
    public Optional<Integer> mate() {
      int plies = Search.MATE - Math.abs(score);
      if (plies > Search.MAX_PLY) {
        return Optional.empty();
      }
      return Optional.of(score > 0 ? (plies + 1) / 2 : -plies / 2);
    }
  }

  public void clear() {
    table.clear();
    order.clear();
  }

  /**
   * Begins with a position.
   *
   * @param count the number of lines, or of legal moves if there are fewer
   * @param isStopped ends an iteration when it returns true, and all that follow; called every few
   *     milliseconds
   */
  public void begin(Position position, int count, BooleanSupplier isStopped) {
    search = new Search(Long.MAX_VALUE, isStopped, table, order, true);
    int fromTable = HashTable.move(table.find(position.key()));
    moves = new ArrayList<>();
    for (Move move : order.sorted(position.legalMoves(), position, fromTable, 0)) {
      moves.add(new RootMove(move, position.play(move).orElseThrow()));
    }
    lines = List.of();
    wanted = Math.min(count, moves.size());
    depth = 0;
  }

  /** Whether a further iteration can change the lines. */
  public boolean canDeepen() {
    boolean isDecided =
        lines.size() == wanted
            && lines.stream().allMatch(it -> Search.MATE - Math.abs(it.score) <= depth);
    return !isDecided && depth < Search.MAX_DEPTH && !search.isSpent();
  }

  /**
   * Searches one ply deeper. After an iteration that is stopped, the lines of moves that it has not
   * come to are the earlier ones.
   */
  public void deepen() {
    List<Line> found = new ArrayList<>(); // the best first
    for (RootMove each : moves) {
      boolean hasAll = found.size() == wanted;
      int alpha = hasAll ? found.get(wanted - 1).score : -Search.INFINITE;
      int score = search.child(each.next, depth, 1, alpha, Search.INFINITE, !hasAll, 0);
      if (search.isSpent()) {
        break;
      }
      if (score > alpha) {
        found.add(new Line(score, variation(each)));
        found.sort(Comparator.comparingInt(Line::score).reversed());
        found = new ArrayList<>(found.subList(0, Math.min(wanted, found.size())));
      }
    }
    for (Line line : search.isSpent() ? lines : List.<Line>of()) {
      Move first = line.moves.get(0);
      if (found.size() < wanted && found.stream().noneMatch(it -> it.moves.get(0).equals(first))) {
        found.add(line);
      }
    }
    found.sort(Comparator.comparingInt(Line::score).reversed());
    lines = List.copyOf(found);
    depth += search.isSpent() ? 0 : 1;
    List<Move> best = lines.stream().map(line -> line.moves.get(0)).toList();
    moves.sort(
        Comparator.comparingInt(
            it -> best.contains(it.move) ? best.indexOf(it.move) : best.size()));
  }

  /** A move of the root and the moves after it that the table has. */
  private List<Move> variation(RootMove first) {
    List<Move> line = new ArrayList<>(List.of(first.move));
    Position at = first.next;
    while (line.size() <= depth && at.occurrences() == 1) {
      long entry = table.find(at.key());
      int code = HashTable.move(entry);
      Optional<Move> next =
          HashTable.bound(entry) == HashTable.EXACT
              ? at.legalMoves().stream().filter(it -> MoveOrder.code(it) == code).findFirst()
              : Optional.empty();
      if (next.isEmpty()) {
        break;
      }
      line.add(next.get());
      at = at.play(next.get()).orElseThrow();
    }
    return List.copyOf(line);
  }

  /** The best lines, the best first; empty before the first iteration and without legal moves. */
  public List<Line> lines() {
    return lines;
  }

  /** The number of plies of the last complete iteration. */
  public int depth() {
    return depth;
  }

  /** The number of positions searched since the {@linkplain #begin beginning}. */
  public long nodes() {
    return search.nodes();
  }
}
