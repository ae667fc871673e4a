package gambit.app.load;

import gambit.app.load.LoadClient.Verb;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Positions;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The cost of a move, from the mover's socket through the referee and the disk to the opponent, and
 * the memory and CPU of an idle game. Moves are random legal moves, none of which ends a game.
 */
final class GamesLoad {
  private static final List<String> FIXED_HEAP =
      List.of("-XX:+UseParallelGC", "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

  private static final int GAMES = 512;
  private static final int PLIES = 40;
  private static final int WARM_UP = 8;
  private static final int IDLE_GAMES = 4_000;
  private static final int IDLE_PLIES = 20;
  private static final int IDLE_SECONDS = 10;
  private static final int TIMEOUT_SECONDS = 30;

  private final BenchmarkContext bench;
  private final Random random = new Random(64);

  GamesLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  /** Measures moves at full speed, and at a fixed rate. */
  void moves() throws Exception {
    List<String> rows = new ArrayList<>();
    rows.add(
        "| moves, each verified, refereed, durable, delivered | CPU, µs a move | of it in the"
            + " kernel | moves/s | p50, ms | p99, ms |");
    rows.add(row(GAMES + " games at once", 0));
    rows.add(row("2,000 a second", 2_000));
    BenchmarkContext.table(rows);
  }

  private String row(String what, int pace) throws Exception {
    List<Cost> costs = new ArrayList<>();
    List<Latencies> latencies = new ArrayList<>();
    try (RelayProcess relay = bench.relay();
        LoadClients peers = new LoadClients(relay.address())) {
      List<LoadClient> connections = peers.connect(2 * GAMES);
      for (int i = 0; i < WARM_UP + bench.runs(); i++) {
        List<Game> games = begin(connections);
        Playing playing = new Playing(games, PLIES);
        Cost cost =
            Cost.of(
                relay,
                () -> {
                  playing.run(peers, pace);
                  return GAMES * PLIES;
                });
        resign(games);
        if (i >= WARM_UP) {
          costs.add(cost);
          latencies.add(playing.latencies);
        }
      }
    }
    return String.format(
        "| %s | %.0f | %.0f | %,.0f | %.2f | %.2f |",
        what,
        Cost.median(costs, Cost::micros),
        Cost.median(costs, Cost::kernelMicros),
        Cost.median(costs, Cost::perSecond),
        Cost.median(latencies, it -> it.at(0.5)),
        Cost.median(latencies, it -> it.at(0.99)));
  }

  /** Measures the heap of a running game. */
  void memory() throws Exception {
    try (RelayProcess relay = bench.relay(FIXED_HEAP);
        LoadClients peers = new LoadClients(relay.address())) {
      List<Game> few = begin(peers.connect(2 * GAMES));
      new Playing(few, PLIES).run(peers, 0); // until the caches of recent events are full
      List<LoadClient> connections = peers.connect(2 * IDLE_GAMES);
      long before = relay.liveHeap();
      List<Game> games = begin(connections);
      long begun = relay.liveHeap();
      new Playing(games, IDLE_PLIES).run(peers, 0);
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

  private List<Game> begin(List<LoadClient> clients) throws Exception {
    List<Game> games = new ArrayList<>();
    for (int i = 0; i < clients.size(); i += 2) {
      Player one = new Player(clients.get(i));
      Player two = new Player(clients.get(i + 1));
      one.connect().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      CompletableFuture<Boolean> white = one.awaitColour();
      CompletableFuture<Boolean> black = two.awaitColour();
      two.peer.send(two.frame(5000, "connect"));
      boolean first = white.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      black.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      games.add(first ? new Game(one, two) : new Game(two, one));
    }
    return games;
  }

  private static void resign(List<Game> games) throws Exception {
    for (Game game : games) {
      CompletableFuture<Void> over = new CompletableFuture<>();
      game.white.peer.listen(
          (verb, text) -> {
            if (verb == Verb.OK) {
              over.complete(null);
            }
          });
      game.white.peer.send(game.white.frame(5003, "resign"));
      over.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static final class Player {
    private final Signer key = Signer.random();
    private final LoadClient peer;

    Player(LoadClient peer) {
      this.peer = peer;
    }

    byte[] frame(int kind, String content) {
      List<List<String>> nonce = List.of(List.of("nonce", "" + System.nanoTime()));
      Event event = key.sign(System.currentTimeMillis() / 1000, kind, new Tags(nonce), content);
      return BenchmarkContext.frame(event);
    }

    CompletableFuture<Void> connect() {
      CompletableFuture<Void> searching = new CompletableFuture<>();
      peer.listen((verb, text) -> searching.complete(null));
      peer.send(frame(5000, "connect"));
      return searching;
    }

    /** Completes with true if the player is White. */
    CompletableFuture<Boolean> awaitColour() {
      CompletableFuture<Boolean> colour = new CompletableFuture<>();
      peer.listen(
          (verb, text) -> {
            String ok = verb == Verb.OK ? text.toString(StandardCharsets.UTF_8) : "";
            if (ok.endsWith(",true,\"white\"]") || ok.endsWith(",true,\"black\"]")) {
              colour.complete(ok.endsWith(",true,\"white\"]"));
            }
          });
      return colour;
    }
  }

  /** One game, with its two players. */
  private final class Game {
    private final Player white;
    private final Player black;
    private final Deque<byte[]> frames = new ArrayDeque<>();
    private int ply;

    Game(Player white, Player black) {
      this.white = white;
      this.black = black;
    }

    Player mover() {
      return ply % 2 == 0 ? white : black;
    }

    Player waiter() {
      return ply % 2 == 0 ? black : white;
    }

    /** Signs the moves of the game in advance. */
    void prepare(int plies) {
      Position position = Positions.initial();
      for (int i = 0; i < plies; i++) {
        Move move = anyMoveThatEndsNoGame(position);
        frames.add((i % 2 == 0 ? white : black).frame(5001, move.uci()));
        position = position.play(move).orElseThrow();
      }
    }

    private Move anyMoveThatEndsNoGame(Position position) {
      List<Move> legal = new ArrayList<>(position.legalMoves());
      Collections.shuffle(legal, random);
      return legal.stream()
          .filter(move -> position.play(move).orElseThrow().outcome().isEmpty())
          .findFirst()
          .orElseThrow();
    }
  }

  /** Plays moves of all games; the next move of a game follows when both have the last one. */
  private static final class Playing {
    private final int all;
    private final Deque<Game> free;
    private final Latencies latencies = new Latencies();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile boolean paced;
    private int confirmed;

    Playing(List<Game> games, int plies) {
      games.forEach(game -> game.prepare(plies));
      this.free = new ArrayDeque<>(games);
      this.all = games.size() * plies;
    }

    /**
     * Plays.
     *
     * @param perSecond the rate of moves; 0 for full speed
     */
    void run(LoadClients peers, int perSecond) throws Exception {
      paced = perSecond > 0;
      if (perSecond == 0) {
        peers.execute(() -> playNext(Integer.MAX_VALUE));
      } else {
        peers.every(TimeUnit.SECONDS.toNanos(1) / perSecond, done, () -> playNext(1));
      }
      done.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private void playNext(int most) {
      for (int i = 0; i < most && !free.isEmpty(); i++) {
        play(free.remove());
      }
    }

    private void play(Game game) {
      int[] missing = {2};
      long begun = System.nanoTime();
      game.mover()
          .peer
          .listen(
              (verb, text) -> {
                if (verb == Verb.OK && LoadClient.isSettled(text)) {
                  confirm(game, missing);
                } else {
                  fail(text);
                }
              });
      game.waiter()
          .peer
          .listen(
              (verb, text) -> {
                if (verb == Verb.EVENT) {
                  latencies.add(System.nanoTime() - begun);
                  confirm(game, missing);
                } else {
                  fail(text);
                }
              });
      game.mover().peer.send(game.frames.remove());
    }

    private void fail(ByteBuf text) {
      done.completeExceptionally(LoadClient.unexpected(text));
    }

    private void confirm(Game game, int[] missing) {
      if (--missing[0] == 0) {
        game.ply++;
        if (!game.frames.isEmpty()) {
          free.add(game);
        }
        if (++confirmed == all) {
          done.complete(null);
        } else if (!paced) {
          playNext(1);
        }
      }
    }
  }
}
