package gambit.chess.engine.uci;

import gambit.chess.engine.Analysis;
import gambit.chess.engine.Analysis.Line;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The engine as text in UCI: {@code uci}, {@code isready}, {@code setoption name MultiPV value},
 * {@code ucinewgame}, {@code position}, {@code go} with {@code movetime}, {@code depth} or {@code
 * infinite}, and {@code stop}. Other lines have no effect, as UCI requires, and neither have lines
 * of more than {@value #MAX_LINE} characters. Used by one thread, which alternates between giving
 * it lines and letting it {@linkplain #work work}.
 */
public final class Uci {
  private static final int MAX_LINES = 10;

  /** Enough for the longest games. */
  private static final int MAX_LINE = 100_000;

  private final LongSupplier millis;
  private final Consumer<String> out;
  private final Analysis analysis = new Analysis();
  private Optional<Position> position = Optional.of(Position.initial());
  private int lines = 1;
  private Search search = Search.NONE;

  /**
   * A search that has no {@code bestmove} yet.
   *
   * @param isEndless whether only {@code stop} ends it, even if there is nothing more to search
   */
  private record Search(long since, int maxDepth, boolean isEndless) {
    private static final Search NONE = new Search(Long.MIN_VALUE, 0, false);
  }

  public Uci(LongSupplier millis, Consumer<String> out) {
    this.millis = millis;
    this.out = out;
  }

  /** Takes a line, and answers it; a search is only begun. */
  public void receive(String line) {
    List<String> words =
        line.length() > MAX_LINE ? List.of("") : Arrays.asList(line.strip().split("\\s+"));
    switch (words.get(0)) {
      case "uci" -> {
        out.accept("id name Gambit");
        out.accept("id author the Gambit project");
        out.accept("option name MultiPV type spin default 1 min 1 max " + MAX_LINES);
        out.accept("uciok");
      }
      case "isready" -> out.accept("readyok");
      case "setoption" -> {
        if (words.stream().anyMatch("MultiPV"::equalsIgnoreCase)) {
          lines = Math.max(1, Math.min(MAX_LINES, numberAfter("value", words, 1)));
        }
      }
      case "ucinewgame" -> analysis.clear();
      case "position" -> position = position(words);
      case "go" -> go(words);
      case "stop" -> end();
      default -> {}
    }
  }

  private static Optional<Position> position(List<String> words) {
    int moves = words.contains("moves") ? words.indexOf("moves") : words.size();
    Optional<Position> position =
        words.size() > 1 && words.get(1).equals("startpos")
            ? Optional.of(Position.initial())
            : Position.parseFen(String.join(" ", words.subList(Math.min(2, moves), moves)));
    for (String word : words.subList(Math.min(moves + 1, words.size()), words.size())) {
      position = position.flatMap(it -> Move.parse(word).flatMap(it::play));
    }
    return position;
  }

  private void go(List<String> words) {
    end();
    if (position.isEmpty()) {
      out.accept("info string There is no such position");
      out.accept("bestmove (none)");
      return;
    }
    long since = millis.getAsLong();
    int time = numberAfter("movetime", words, Integer.MAX_VALUE);
    int depth = numberAfter("depth", words, Integer.MAX_VALUE);
    search =
        new Search(
            since,
            depth,
            words.contains("infinite") || (time == depth && depth == Integer.MAX_VALUE));
    analysis.begin(position.get(), lines, () -> millis.getAsLong() - since >= time);
    if (position.get().legalMoves().isEmpty()) {
      out.accept("info depth 0 score " + (position.get().inCheck() ? "mate 0" : "cp 0"));
    }
  }

  /**
   * Searches one ply deeper, and sends what has been found.
   *
   * @return whether there is more to do without a further line
   */
  public boolean work() {
    if (search.equals(Search.NONE)) {
      return false;
    }
    if (analysis.depth() < search.maxDepth && analysis.canDeepen()) {
      analysis.deepen();
      sendLines();
      return true;
    }
    if (!search.isEndless) {
      end();
    }
    return false;
  }

  private void sendLines() {
    long elapsed = Math.max(1, millis.getAsLong() - search.since);
    long nodes = analysis.nodes();
    int number = 1;
    for (Line line : analysis.lines()) {
      String score = line.mate().map(it -> "mate " + it).orElseGet(() -> "cp " + line.score());
      out.accept(
          "info depth "
              + Math.max(1, analysis.depth())
              + (" multipv " + number++)
              + (" score " + score)
              + (" nodes " + nodes)
              + (" nps " + nodes * 1000 / elapsed)
              + (" time " + elapsed)
              + " pv "
              + line.moves().stream().map(Move::uci).collect(Collectors.joining(" ")));
    }
  }

  private void end() {
    if (!search.equals(Search.NONE)) {
      search = Search.NONE;
      List<Line> found = analysis.lines();
      out.accept("bestmove " + (found.isEmpty() ? "(none)" : found.get(0).moves().get(0).uci()));
    }
  }

  private static int numberAfter(String word, List<String> words, int otherwise) {
    int at = words.indexOf(word) + 1;
    if (at == 0 || at == words.size() || !words.get(at).matches("[0-9]{1,9}")) {
      return otherwise;
    }
    return Integer.parseInt(words.get(at));
  }
}
