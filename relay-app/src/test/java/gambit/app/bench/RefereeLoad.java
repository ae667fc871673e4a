package gambit.app.bench;

import com.sun.management.ThreadMXBean;
import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.Game;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Referee;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.session.SearchQueues;
import gambit.chess.session.play.ColourNotifications;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * CPU and garbage of the referee's decisions on moves and of the queue's pairings, on one thread of
 * this process. Games consist of random legal moves up to their end.
 */
final class RefereeLoad {
  private static final int GAMES = 2_000;
  private static final int WARM_UP = 5;
  private static final int PAIRINGS = 20_000;
  private static final long STARTED = 1_000_000;

  private static final TimeControl TIME = TimeControl.TEN_MINUTES_A_MOVE;
  private static final SearchQueues.SearchTerms SEARCH = new SearchQueues.SearchTerms(TIME, false);
  private static final ColourNotifications NONE = new ColourNotifications();

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final BenchmarkContext bench;

  RefereeLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() {
    decisions();
    pairings();
  }

  /** CPU and garbage of one operation, in nanoseconds and bytes. */
  private record Spent(double nanos, double bytes) {}

  private interface Work {
    /** Returns the number of operations. */
    int run();
  }

  private Spent spent(Work work) {
    List<Spent> runs = new ArrayList<>();
    for (int i = 0; i < WARM_UP + bench.runs(); i++) {
      long cpu = threads.getCurrentThreadCpuTime();
      long bytes = threads.getCurrentThreadAllocatedBytes();
      double operations = work.run();
      Spent spent =
          new Spent(
              (threads.getCurrentThreadCpuTime() - cpu) / operations,
              (threads.getCurrentThreadAllocatedBytes() - bytes) / operations);
      if (i >= WARM_UP) {
        runs.add(spent);
      }
    }
    return new Spent(
        BenchmarkContext.median(runs, Spent::nanos), BenchmarkContext.median(runs, Spent::bytes));
  }

  private void decisions() {
    List<List<Move>> games = new ArrayList<>();
    Random random = new Random(64);
    for (int i = 0; i < GAMES; i++) {
      games.add(moves(random));
    }
    Spent spent = spent(() -> replay(games));
    BenchmarkContext.table(
        List.of(
            "| referee | CPU, µs | garbage, bytes |",
            String.format(
                "| decision on a move | %.2f | %.0f |", spent.nanos() / 1e3, spent.bytes())));
  }

  private static OngoingGame start() {
    return OngoingGame.start(
        Position.initial(), TimeControl.TEN_MINUTES_A_MOVE, 30_000, 200, STARTED);
  }

  private static List<Move> moves(Random random) {
    List<Move> moves = new ArrayList<>();
    Game game = start();
    while (game instanceof OngoingGame playing) {
      List<Move> legal = playing.position().legalMoves();
      Move move = legal.get(random.nextInt(legal.size()));
      moves.add(move);
      game = played(playing, move);
    }
    return moves;
  }

  private static int replay(List<List<Move>> games) {
    int decisions = 0;
    for (List<Move> moves : games) {
      Game game = start();
      for (Move move : moves) {
        game = played((OngoingGame) game, move);
        decisions++;
      }
      if (!(game instanceof FinishedGame)) {
        throw new IllegalStateException("a game that goes on");
      }
    }
    return decisions;
  }

  private static Game played(OngoingGame game, Move move) {
    Command play = new Command.Play(game.turn(), move, false);
    return ((Step) Referee.decide(game, play, game.changedAt() + 1)).next();
  }

  private void pairings() {
    List<String> rows = new ArrayList<>();
    rows.add("| players that search | CPU of the search and the pairing of one, µs |");
    for (int waiting : List.of(2, 1_000, 100_000)) {
      SearchQueues queue = new SearchQueues();
      for (int i = 0; i < waiting; i++) {
        queue.add(search(i));
      }
      int[] next = {waiting};
      Spent spent = spent(() -> pair(queue, next));
      rows.add(String.format("| %,d | %.2f |", waiting, spent.nanos() / 1e3));
    }
    BenchmarkContext.table(rows);
  }

  private static int pair(SearchQueues queue, int[] next) {
    for (int i = 0; i < PAIRINGS; i++) {
      queue.add(search(next[0]++));
      queue.add(search(next[0]++));
      if (queue.pair(SEARCH, STARTED).isEmpty()) {
        throw new IllegalStateException("nobody was paired");
      }
    }
    return 2 * PAIRINGS;
  }

  private static SearchQueues.Search search(int player) {
    PubKey key = new PubKey(ByteBuffer.allocate(32).putInt(player).array());
    return new SearchQueues.Search(
        key, new EventId(key.bytes()), SEARCH, NONE, 0, STARTED, null, 0);
  }
}
