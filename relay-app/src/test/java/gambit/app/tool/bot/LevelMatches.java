package gambit.app.tool.bot;

import gambit.app.tool.bot.BotGame.OpeningBook;
import gambit.app.tool.bot.UciEngine.UciProcess;
import gambit.chess.engine.Engine;
import gambit.chess.engine.Level;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Games of the house player's levels against Stockfish with a limited rating ({@code UCI_Elo}), and
 * of the weak ones against the next, since Stockfish cannot be limited to less than 1350. On one
 * thread; the strongest level has {@value #OWN_MILLIS} ms of CPU for a move and Stockfish {@value
 * #STOCKFISH_NODES} nodes, so other work on the machine makes no difference. Prints a row for each
 * pairing: the rating is that of the opponent with the difference for the score, and the interval
 * that contains it in 19 of 20 cases.
 */
public final class LevelMatches {
  private static final Path STOCKFISH = Path.of("/usr/games/stockfish");
  private static final int OWN_MILLIS = 500;
  private static final int STOCKFISH_NODES = 15_000;
  private static final int MAX_PLIES = 300;
  private static final int[][] RATINGS = {{}, {1350}, {1350, 1500}, {1700}, {1700}};

  private final Random random = new Random(37);
  private final Engine own = new Engine(random);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  private interface Player {
    Move choose(List<Move> moves, Position position) throws Exception;
  }

  /** Plays so many games with each colour in each pairing. */
  public static void print(int games) throws Exception {
    if (!Files.isExecutable(STOCKFISH)) {
      System.out.println("strength: there is no " + STOCKFISH);
      return;
    }
    System.out.println("| level | opponent | won, drawn, lost | score | rating |");
    System.out.println("|---|---|---|---|---|");
    LevelMatches matches = new LevelMatches();
    for (Level level : Level.values()) {
      Player player = matches.level(level);
      for (int rating : RATINGS[level.number() - 1]) {
        try (UciProcess stockfish = new UciProcess(List.of(STOCKFISH.toString()))) {
          stockfish.send("setoption name UCI_LimitStrength value true");
          stockfish.send("setoption name UCI_Elo value " + rating);
          Player opponent = (moves, position) -> stockfish(stockfish, moves);
          matches.print(level, "Stockfish at " + rating, rating, player, opponent, games);
        }
      }
      if (level.number() < Level.FOUR.number()) {
        Level next = Level.of(level.number() + 1).orElseThrow();
        matches.print(level, "level " + next.number(), 0, player, matches.level(next), games);
      }
    }
  }

  private Player level(Level level) {
    return (moves, position) ->
        OpeningBook.BOOK
            .move(position, level, random)
            .orElseGet(() -> own.think(position, level, Long.MAX_VALUE, stopAfter()).move());
  }

  private BooleanSupplier stopAfter() {
    long end = threads.getCurrentThreadCpuTime() + OWN_MILLIS * 1_000_000L;
    return () -> threads.getCurrentThreadCpuTime() >= end;
  }

  private static Move stockfish(UciProcess engine, List<Move> moves) throws Exception {
    String played = moves.stream().map(Move::uci).collect(Collectors.joining(" "));
    engine.send("position startpos" + (played.isEmpty() ? "" : " moves " + played));
    engine.send("go nodes " + STOCKFISH_NODES);
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (true) {
      String line = engine.next(deadline).orElseThrow();
      if (line.startsWith("bestmove ")) {
        return Move.parse(line.split(" ")[1]).orElseThrow();
      }
    }
  }

  private void print(
      Level level, String name, int rating, Player player, Player opponent, int games)
      throws Exception {
    int[] results = new int[3]; // won, drawn, lost
    for (int game = 0; game < 2 * games; game++) {
      results[result(game % 2 == 0 ? Side.WHITE : Side.BLACK, player, opponent)]++;
    }
    int count = 2 * games;
    double score = (results[0] + results[1] / 2.0) / count;
    double variance =
        (results[0] * square(1 - score)
                + results[1] * square(0.5 - score)
                + results[2] * square(score))
            / count;
    double margin = 1.96 * Math.sqrt(Math.max(variance, 0.25 / count) / count);
    System.out.printf(
        Locale.ROOT,
        "| %d | %s | %d, %d, %d | %.2f | %s (%s to %s) |%n",
        level.number(),
        name,
        results[0],
        results[1],
        results[2],
        score,
        rating(rating, score, count),
        rating(rating, score - margin, count),
        rating(rating, score + margin, count));
  }

  private static double square(double value) {
    return value * value;
  }

  private static String rating(int opponent, double score, int count) {
    double bounded = Math.max(0.5 / count, Math.min(1 - 0.5 / count, score));
    long rating = Math.round(opponent + 400 * Math.log10(bounded / (1 - bounded)));
    return opponent == 0 && rating > 0 ? "+" + rating : "" + rating;
  }

  /** Plays a game; 0 if the player wins with a colour, 1 for a draw, 2 for a loss. */
  private static int result(Side colour, Player player, Player opponent) throws Exception {
    Position position = Position.initial();
    List<Move> moves = new ArrayList<>();
    while (position.outcome().isEmpty()
        && !position.threefold()
        && !position.fiftyMoves()
        && moves.size() < MAX_PLIES) {
      Player mover = position.turn() == colour ? player : opponent;
      Move move = mover.choose(moves, position);
      moves.add(move);
      position = position.play(move).orElseThrow();
    }
    if (!position.outcome().equals(Optional.of(Outcome.CHECKMATE))) {
      return 1;
    }
    return position.turn() == colour ? 2 : 0;
  }
}
