package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The memory and CPU of games in which nobody moves. */
final class GameMemoryLoad {
  private static final List<String> FIXED_HEAP =
      List.of("-XX:+UseParallelGC", "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

  private static final int GAMES = 512;
  private static final int PLIES = 40;
  private static final int IDLE_GAMES = 4_000;
  private static final int IDLE_PLIES = 20;
  private static final int IDLE_SECONDS = 10;

  private final BenchmarkContext bench;

  GameMemoryLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    try (RelayProcess relay = bench.relay(FIXED_HEAP);
        BenchClients clients = new BenchClients(relay.url())) {
      play(clients, begin(clients.connect(2 * GAMES)), PLIES); // until the caches are full
      List<BenchClient> connections = clients.connect(2 * IDLE_GAMES);
      long before = relay.liveHeap();
      List<BenchGame> games = begin(connections);
      long begun = relay.liveHeap();
      play(clients, games, IDLE_PLIES);
      long played = relay.liveHeap();
      long cpu = relay.cpu().all();
      TimeUnit.SECONDS.sleep(IDLE_SECONDS);
      double idle = (relay.cpu().all() - cpu) / 1e6 / IDLE_SECONDS;
      BenchmarkContext.table(
          List.of(
              String.format("| %,d games | bytes a game on the heap |", IDLE_GAMES),
              String.format("| before the first move | %,d |", (begun - before) / IDLE_GAMES),
              String.format(
                  "| after %d plies | %,d |", IDLE_PLIES, (played - before) / IDLE_GAMES)));
      System.out.printf("While nobody moves, the relay takes %.1f ms of CPU a second.%n%n", idle);
    }
  }

  private static List<BenchGame> begin(List<BenchClient> clients) throws RelayFailure {
    List<BenchGame> games = new ArrayList<>();
    for (int i = 0; i < clients.size(); i += 2) {
      games.add(
          BenchGame.begin(
              BenchGame.Player.on(clients.get(i)), BenchGame.Player.on(clients.get(i + 1)), i));
    }
    return games;
  }

  private static void play(BenchClients clients, List<BenchGame> games, int plies)
      throws RelayFailure {
    games.forEach(game -> game.prepare(plies));
    MovesLine.play(clients, games, Amount.ofSeconds(Integer.MAX_VALUE).pacing(0), null);
  }
}
