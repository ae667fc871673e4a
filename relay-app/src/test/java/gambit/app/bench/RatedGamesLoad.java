package gambit.app.bench;

import com.sun.management.ThreadMXBean;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.Game;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Referee;
import gambit.chess.game.Result;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Category;
import gambit.chess.rating.Rating;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.RatedEnd;
import gambit.chess.session.play.StoredRatings.PlayerRatings;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * CPU of the end of a rated game beside that of a casual one, on the writer's thread: its record,
 * and what it changes in the store, in commits of twenty. And the time in which a leaderboard of
 * many players is served.
 */
final class RatedGamesLoad {
  private static final int WARM_UP = 10;
  private static final int PLAYERS = 2_000;
  private static final int GAMES = 3_000;
  private static final int GAMES_OF_A_COMMIT = 20;
  private static final int PLIES = 60;
  private static final int LEADERS = 100_000;
  private static final int QUERIES = 2_000;
  private static final long STARTED = 1_767_268_800_000L;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Random random = new Random(64);
  private final BenchmarkContext bench;
  private final RefereeEvents relay = new RefereeEvents(Keys.of("relay"), TestRelay.URL);
  private final OngoingGame played = played();
  private long now = STARTED + 3_600_000;

  RatedGamesLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() throws IOException {
    ends();
    leaderboard();
  }

  private EventStore store() throws IOException {
    Path directory = Files.createTempDirectory(bench.directory().toAbsolutePath(), "ratings");
    return DiskEventStore.open(directory, InstantSource.system(), 0);
  }

  private void ends() throws IOException {
    List<Double> casual = new ArrayList<>();
    List<Double> rated = new ArrayList<>();
    try (EventStore store = store()) {
      for (int i = 0; i < WARM_UP + bench.runs(); i++) {
        double one = micros(store, null);
        double other = micros(store, Category.BLITZ);
        if (i >= WARM_UP) {
          casual.add(one);
          rated.add(other);
        }
      }
    }
    BenchmarkContext.table(
        List.of(
            "| end of a game of 60 plies, writer's thread | CPU, µs |",
            String.format("| casual | %.1f |", BenchmarkContext.median(casual, it -> it)),
            String.format("| rated | %.1f |", BenchmarkContext.median(rated, it -> it))));
  }

  /** CPU of the end of a game of two random players. */
  private double micros(EventStore store, @Nullable Category category) throws IOException {
    long cpu = 0;
    for (int done = 0; done < GAMES; done += GAMES_OF_A_COMMIT) {
      List<Commit.Addition> ends = new ArrayList<>();
      for (int i = 0; i < GAMES_OF_A_COMMIT; i++) {
        ends.add(end(category));
      }
      long start = threads.getCurrentThreadCpuTime();
      try (Transaction transaction = store.begin()) {
        for (Commit.Addition end : ends) {
          Commit commit = end.changes().apply(transaction::row).orElseThrow();
          commit.events().forEach(event -> transaction.append(event, Transaction.NEVER));
          commit.rows().forEach(row -> put(transaction, row));
        }
        transaction.commit();
      }
      cpu += threads.getCurrentThreadCpuTime() - start;
    }
    return cpu / 1e3 / GAMES;
  }

  private static void put(Transaction transaction, Row row) {
    byte[] value = row.value();
    if (value != null) {
      transaction.putRow(row.table(), row.key(), value);
    }
  }

  private Commit.Addition end(@Nullable Category category) {
    int white = random.nextInt(PLAYERS);
    int black = (white + 1 + random.nextInt(PLAYERS - 1)) % PLAYERS;
    RatedStart.Strength strength = new RatedStart.Strength(1500, 100);
    now += 1_000;
    byte[] id = new byte[32];
    random.nextBytes(id);
    Nip100 dialect = new Nip100(relay);
    GameRef game =
        new GameRef(
            new EventId(id),
            new GameRef.Seat(player(white), dialect),
            new GameRef.Seat(player(black), dialect),
            false,
            category == null ? null : new RatedStart(category, strength, strength));
    Result result = Result.values()[random.nextInt(3)];
    FinishedGame over = new FinishedGame(played, result, Termination.RESIGNATION, now);
    List<String> plies = random.ints(PLIES).mapToObj(i -> player(i).hex()).toList();
    RefereeEvents.Draft record = relay.record(game, over, plies, List.of());
    return category == null
        ? new Commit.Addition(rows -> Optional.of(Commit.of(List.of(record.sign(List.of())))), 0)
        : new Commit.Addition(new RatedEnd(relay, game, over, category, record, true), 0);
  }

  private static PubKey player(int number) {
    byte[] key = new byte[32];
    new Random(number).nextBytes(key);
    return new PubKey(key);
  }

  private OngoingGame played() {
    Game game =
        OngoingGame.start(
            Position.initial(), new TimeControl(false, 180_000, 0), 30_000, 200, STARTED);
    while (game instanceof OngoingGame playing && playing.plies() < PLIES) {
      List<Move> legal = playing.position().legalMoves();
      Move move = legal.get(random.nextInt(legal.size()));
      Command play = new Command.Play(playing.turn(), move, false);
      game = ((Step) Referee.decide(playing, play, playing.changedAt() + 500)).next();
    }
    return (OngoingGame) game;
  }

  private void leaderboard() throws IOException {
    EventStore store = store();
    long seconds = STARTED / 1000;
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < LEADERS; i++) {
        Rating rating = new Rating(100_000 + random.nextInt(200_000), 6_000, 60_000, 50, seconds);
        put(transaction, PlayerRatings.NONE.with(Category.BLITZ, rating).row(player(i)));
      }
      transaction.commit();
    }
    List<Double> millis = new ArrayList<>();
    long start = System.nanoTime();
    ChessFeature chess = new ChessFeature(ChessSettings.DEFAULT);
    try (TestRelay relay = new TestRelay(store, Instant.ofEpochMilli(STARTED), chess);
        Client client = relay.connect()) {
      double started = (System.nanoTime() - start) / 1e6;
      for (int i = 0; i < QUERIES; i++) {
        long asked = System.nanoTime();
        client.send("[\"REQ\",\"best\",{\"kinds\":[20307],\"#d\":[\"blitz\"]}]");
        while (!client.nextJson().get(0).asText().equals("EOSE")) {
          // the leaderboard
        }
        millis.add((System.nanoTime() - asked) / 1e6);
      }
      BenchmarkContext.table(
          List.of(
              "| leaderboard of 100,000 players | ms |",
              String.format("| start of the relay | %.0f |", started),
              String.format("| first REQ | %.1f |", millis.get(0)),
              String.format("| REQ, median | %.2f |", BenchmarkContext.median(millis, it -> it))));
    }
  }
}
