package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A whole chess server at once: players, spectators, and readers of notes. Moves and notes have
 * schedules, and as many games begin as end. One measurement gives several rows, each a {@link
 * Line} of the same name.
 */
final class Box {
  static final String NAME = "box";
  private static final int AUTHORS_OF_A_READER = 10;
  private static final int READERS_OF_AN_AUTHOR = 20;
  private static final int MOST_WATCHED = 10; // the part of all spectators at one game
  private static final int MAX_NOTES_UNDER_WAY = 10_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long POLL_NANOS = 10_000_000;

  private final Bench bench;
  private final BoxSize size;
  private final Random random;
  private final BitSet[] readersOf;
  private final EventSource notes;
  private final Map<Row, Deque<Totals>> measured = new EnumMap<>(Row.class);
  private final List<BenchClient> connected = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private List<BenchClient> publishers = List.of();
  private List<BenchClient> readers = List.of();
  private @Nullable BoxGames games;

  /** What is measured. */
  private enum Row {
    /** From a move's time to its OK. The relay's CPU is that of everything, for each move. */
    MOVERS,
    /** From a move's time to its delivery to the opponent. */
    OPPONENTS,
    /** From a move's time to each of its deliveries to spectators. */
    SPECTATORS,
    /** From a note's time to each of its deliveries. */
    NOTES,
    /** From the search of the second of two players until both know of their game. */
    PAIRINGS,
    RESIDENT,
    ANONYMOUS
  }

  private Box(Bench bench) {
    this.bench = bench;
    this.size = bench.options().box();
    this.random = new Random(bench.data().seed());
    int authors =
        Math.max(
            1,
            Math.min(
                bench.data().authors().size(),
                size.readers() * AUTHORS_OF_A_READER / READERS_OF_AN_AUTHOR));
    this.readersOf = IntStream.range(0, authors).mapToObj(i -> new BitSet()).toArray(BitSet[]::new);
    this.notes = bench.notes(authors);
    for (Row row : Row.values()) {
      measured.put(row, new ArrayDeque<>());
    }
  }

  /** All rows; the first one measures. */
  static List<Line> lines(Bench bench) {
    Box box = new Box(bench);
    return Arrays.stream(Row.values()).map(row -> box.line(row)).toList();
  }

  private Line line(Row row) {
    return new Line() {
      @Override
      public String name() {
        return NAME;
      }

      @Override
      public String parameter() {
        return row.name().toLowerCase(Locale.ROOT);
      }

      @Override
      public String reasonToSkip() {
        if (!bench.isRefereed()) {
          return "this relay states no referee of chess (NIP-11)";
        } else if (row.compareTo(Row.RESIDENT) >= 0 && bench.server() == null) {
          return "it needs --pid";
        }
        return row == Row.MOVERS || !rowOf(row).isEmpty() ? "" : "it was not measured";
      }

      @Override
      public void open() throws RelayFailure {
        if (row == Row.MOVERS) {
          Box.this.open();
        }
      }

      @Override
      public Totals run(Amount amount) throws RelayFailure {
        if (row == Row.MOVERS) {
          measure(amount);
        }
        return rowOf(row).remove();
      }

      @Override
      public void close() {
        if (row == Row.MOVERS) {
          Box.this.close();
        }
      }
    };
  }

  private Deque<Totals> rowOf(Row row) {
    return Objects.requireNonNull(measured.get(row));
  }

  /** Connects all, and pairs the players. */
  private void open() throws RelayFailure {
    List<BenchClient> players = connect(2 * size.games());
    List<List<BenchClient>> groups = new ArrayList<>();
    List<BenchClient> spectators = connect(size.spectators());
    while (!spectators.isEmpty()) {
      int most = Math.max(1, size.spectators() / MOST_WATCHED / (groups.size() + 1));
      int from = spectators.size() - Math.min(most, spectators.size());
      groups.add(spectators.subList(from, spectators.size()));
      spectators = spectators.subList(0, from);
    }
    publishers = connect(1);
    readers = connect(size.readers() - 1);
    Subscribing.open(
        bench.clients(),
        readers,
        IntStream.range(0, readers.size()).mapToObj(i -> List.of(filter(i))).toList());
    BoxGames playing = new BoxGames(players, groups, size.plies(), random, threads);
    games = playing;
    bench.clients().execute(playing::begin);
    await(playing::allRun, "The games have not begun");
  }

  private List<BenchClient> connect(int count) throws RelayFailure {
    List<BenchClient> some = bench.clients().connect(count);
    connected.addAll(some);
    return some;
  }

  /** The filter of a reader, who follows some authors. */
  private String filter(int reader) {
    String authors =
        random
            .ints(AUTHORS_OF_A_READER, 0, readersOf.length)
            .distinct()
            .peek(author -> readersOf[author].set(reader))
            .mapToObj(author -> "\"" + bench.data().authors().hex(author) + "\"")
            .collect(Collectors.joining(","));
    return String.format(
        "{\"kinds\":[%d],\"authors\":[%s],\"since\":%d,\"limit\":1}",
        SyntheticTraffic.NOTE, authors, System.currentTimeMillis() / 1000 - 1);
  }

  private void measure(Amount amount) throws RelayFailure {
    BoxGames playing = Objects.requireNonNull(games);
    onLoop(playing::count).join();
    ServerProcess server = bench.server();
    ServerProcess.Cpu cpu = server == null ? null : server.cpu();
    long begun = System.nanoTime();
    CompletableFuture<Totals> noted = new CompletableFuture<>();
    threads.execute(() -> publish(amount, noted));
    Pacing pacing = amount.pacing(size.moves());
    long deadline = begun + (long) (amount.seconds() * 1e9) + TIMEOUT.toNanos();
    bench
        .clients()
        .pace(
            pacing::next,
            () -> pacing.isOver(0) || noted.isCompletedExceptionally() || isOver(deadline),
            () -> playing.move(pacing));
    ServerProcess.Memory memory = server == null ? null : server.memory();
    rowOf(Row.NOTES).add(BenchClients.await(noted, TIMEOUT, "The notes are not delivered"));
    await(playing::isSettled, "The games do not come to rest");
    long nanos = System.nanoTime() - begun;
    BoxGames.Counts counts = onLoop(playing::count).join();
    counts.movers.took(nanos, server == null || cpu == null ? null : server.cpu().minus(cpu));
    add(Row.MOVERS, counts.movers, nanos);
    add(Row.OPPONENTS, counts.opponents, nanos);
    add(Row.SPECTATORS, counts.spectators, nanos);
    add(Row.PAIRINGS, counts.pairings, nanos);
    add(Row.RESIDENT, bytes(memory == null ? 0 : memory.resident()), nanos);
    add(Row.ANONYMOUS, bytes(memory == null ? 0 : memory.anonymous()), nanos);
  }

  private void add(Row row, Totals totals, long nanos) {
    if (totals.nanos() == 0) {
      totals.took(nanos, null);
    }
    rowOf(row).add(totals);
  }

  private static Totals bytes(long count) {
    Totals totals = new Totals();
    totals.bytes(count);
    return totals;
  }

  private void publish(Amount amount, CompletableFuture<Totals> noted) {
    Publishing publishing =
        new Publishing(
            notes::next, note -> (BitSet) readersOf[note.author()].clone(), note -> false);
    Loop loop = new Loop(bench.clients(), amount.pacing(size.notes()), publishing, new Totals());
    publishing.listen(publishers, readers, loop);
    try {
      loop.run(publishers, MAX_NOTES_UNDER_WAY, null);
      noted.complete(loop.totals());
    } catch (RelayFailure | RuntimeException e) {
      noted.completeExceptionally(e);
    }
  }

  private <T> CompletableFuture<T> onLoop(Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, bench.clients()::execute);
  }

  private void await(Supplier<Boolean> condition, String failure) throws RelayFailure {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!BenchClients.await(onLoop(condition), TIMEOUT, failure)) {
      if (isOver(deadline)) {
        throw new RelayFailure(
            failure + ": " + onLoop(Objects.requireNonNull(games)::state).join() + ".");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static boolean isOver(long deadline) {
    return System.nanoTime() - deadline > 0;
  }

  private void close() {
    threads.shutdownNow();
    Bench.close(connected);
  }
}
