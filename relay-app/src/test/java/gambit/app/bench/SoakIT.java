package gambit.app.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.DiagnosticCommand;
import gambit.app.GambitProcess;
import gambit.app.tool.client.RelayLimits;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mixed traffic for half an hour with {@code -Dgambit.long}, some seconds in CI: REQs and events,
 * games of chess, clients that come and go, clients that do not read, and deletions. Whatever the
 * relay takes is as much at the end as after the first part.
 */
@ThoroughOnly
class SoakIT {
  private static final double SECONDS = TestEffort.of(2, 1_800);
  private static final double PARTS = 4;
  private static final int EVENTS = TestEffort.of(300, 20_000);

  /** All of it is resident from the start, so that more anonymous memory is not of the heap. */
  private static final List<String> FIXED_HEAP =
      GambitProcess.quick("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch");

  private static final int SLOW_READERS = 5;
  private static final BenchOptions OPTIONS =
      new BenchOptions(1, 1, 0, 4, 0, 1, 1, 4, 1, new BoxSize(6, 1, 4, 1, 1));

  private final List<Totals> parts = new ArrayList<>();
  private volatile CountDownLatch over = new CountDownLatch(1);

  /** What the relay's process takes when it has nothing to do. */
  private record Taken(long heap, long anonymous, long threads, long handles) {
    static Taken by(GambitProcess relay) throws Exception {
      long heap = liveHeap(relay);
      return new Taken(
          heap,
          new ServerProcess(relay.pid()).memory().anonymous(),
          relay.status("Threads"),
          handles(relay));
    }

    private static long handles(GambitProcess relay) throws IOException {
      try (Stream<Path> open = Files.list(Path.of("/proc/" + relay.pid() + "/fd"))) {
        return open.count();
      }
    }
  }

  @Test
  void whatTheRelayTakesStaysTheSame(@TempDir Path directory) throws Exception {
    try (GambitProcess relay = GambitProcess.relayWith(FIXED_HEAP, directory)) {
      URI url = relay.url();
      DataSet data = new DataSet(1, EVENTS);
      Oracle oracle = new Oracle(data);
      try (BenchClients clients = new BenchClients(url)) {
        new Preparation(clients, data, oracle, line -> {}).run(null);
      }
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        traffic(relay, url, data, oracle, threads, SECONDS / PARTS);
        awaitNothingOpen(relay);
        Taken first = Taken.by(relay);
        traffic(relay, url, data, oracle, threads, SECONDS - SECONDS / PARTS);
        awaitNothingOpen(relay);
        requireFlat(first, Taken.by(relay));
      } finally {
        over.countDown();
        threads.shutdownNow();
      }
      assertThat(relay.isRunning()).isTrue();
      assertThat(relay.terminate().exitStatus()).isZero();
    }
  }

  /** All traffic at the same time; the times of REQs and events are counted in parts. */
  private void traffic(
      GambitProcess relay,
      URI url,
      DataSet data,
      Oracle oracle,
      ExecutorService threads,
      double seconds)
      throws Exception {
    over = new CountDownLatch(1);
    List<Future<Integer>> beside =
        List.of(
            threads.submit(() -> games(url, data, oracle)),
            threads.submit(() -> comingAndGoing(url)),
            threads.submit(() -> slowReaders(url)),
            threads.submit(() -> deletions(url)));
    try (BenchClients clients = new BenchClients(url);
        Line mixed = new MixedLine(bench(clients, data, oracle))) {
      mixed.open();
      for (double done = 0; done < seconds; done += SECONDS / PARTS) {
        Totals part = mixed.run(Amount.ofSeconds(SECONDS / PARTS));
        assertThat(part.wrongCount()).as(part.firstWrong()).isZero();
        assertThat(part.operations()).isPositive();
        parts.add(part);
        beside.stream().filter(Future::isDone).forEach(SoakIT::result); // fails early
      }
    } finally {
      over.countDown();
    }
    for (Future<Integer> one : beside) {
      assertThat(one.get()).isPositive();
    }
    assertThat(relay.metric("gambit_failed_commits_total")).isZero();
  }

  /** Waits for the end of the traffic, at most for the time between two turns of a client. */
  private boolean isOver(Duration pause) throws InterruptedException {
    return over.await(pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static int result(Future<Integer> ended) {
    try {
      return ended.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Bench bench(BenchClients clients, DataSet data, Oracle oracle) {
    return new Bench(OPTIONS, clients, RelayLimits.USUAL, null, data, oracle, true);
  }

  /** Plays game after game; returns their moves. */
  private int games(URI url, DataSet data, Oracle oracle) throws Exception {
    long moves = 0;
    try (BenchClients clients = new BenchClients(url);
        Line line = new MovesLine(bench(clients, data, oracle), "moves", 100)) {
      line.open();
      do {
        Totals played = line.run(Amount.ofSeconds(1));
        assertThat(played.wrongCount()).as(played.firstWrong()).isZero();
        moves += played.operations();
      } while (moves == 0 || !isOver(Duration.ZERO));
    }
    return (int) moves;
  }

  /** Connects, subscribes and leaves, in order or not; returns how often. */
  private int comingAndGoing(URI url) throws Exception {
    int count = 0;
    try (BenchClients clients = new BenchClients(url)) {
      do {
        List<BenchClient> some = clients.connect(10);
        Subscribing.open(
            clients,
            some,
            some.stream().map(one -> List.of("{\"kinds\":[1],\"limit\":5}")).toList());
        some.forEach(BenchClient::beginClosing);
        some.forEach(BenchClient::close);
        count++;
      } while (!isOver(Duration.ofMillis(50)));
    }
    return count;
  }

  /** Connects clients that ask for everything and read nothing; returns how many. */
  private int slowReaders(URI url) throws Exception {
    int count = 0;
    Deque<BenchClient> readers = new ArrayDeque<>();
    try (BenchClients clients = new BenchClients(url)) {
      do {
        if (readers.size() == SLOW_READERS) {
          readers.remove().close();
        }
        BenchClient reader = clients.connectNonReading();
        reader.send("[\"REQ\",\"all\",{\"kinds\":[1,7]}]");
        readers.add(reader);
        count++;
      } while (!isOver(Duration.ofMillis(300)));
      readers.forEach(BenchClient::close);
    }
    return count;
  }

  /** Publishes notes and deletes them; returns how many. */
  private int deletions(URI url) throws Exception {
    Signer author = Signer.random();
    int count = 0;
    try (BenchClients clients = new BenchClients(url);
        RelaySession session = RelaySession.connect(RelayPlace.of(url), Duration.ofSeconds(60))) {
      BenchClient client = clients.connect();
      do {
        long now = System.currentTimeMillis() / 1000;
        Event note = author.sign(now, 1, Tags.NONE, "to be deleted " + count);
        String ids = "{\"ids\":[\"" + note.id().hex() + "\"]}";
        PublishedEvent.publish(client, note);
        assertThat(Preparation.find(session, ids)).hasSize(1);
        Tags tags = new Tags(List.of(List.of("e", note.id().hex())));
        PublishedEvent.publish(client, author.sign(now, 5, tags, ""));
        assertThat(Preparation.find(session, ids)).isEmpty();
        count++;
      } while (!isOver(Duration.ofMillis(20)));
      client.close();
    }
    return count;
  }

  private static void awaitNothingOpen(GambitProcess relay) {
    for (String name :
        List.of(
            "gambit_connections",
            "gambit_subscriptions",
            "gambit_events_under_way",
            "gambit_outbox_bytes",
            "gambit_chess_games",
            "gambit_chess_searching",
            "gambit_syncs")) {
      await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() -> assertThat(relay.metric(name)).as(name).isZero());
    }
  }

  private void requireFlat(Taken first, Taken last) {
    assertThat(last.threads()).as("threads").isLessThanOrEqualTo(first.threads() + 2);
    assertThat(last.handles()).as("file handles").isLessThanOrEqualTo(first.handles() + 8);
    assertThat(last.heap()).as("live heap").isLessThan(first.heap() * 2 + (32L << 20));
    assertThat(last.anonymous())
        .as("anonymous memory")
        .isLessThan(first.anonymous() * 2 + (64L << 20));
    if (TestEffort.isLong()) { // some seconds beside other suites say nothing about times
      double before = parts.get(0).values().get(Measure.P99_MS);
      double after = parts.get(parts.size() - 1).values().get(Measure.P99_MS);
      assertThat(after).as("p99 of REQs and events, ms").isLessThan(10 * before);
    }
  }

  private static long liveHeap(GambitProcess relay) throws Exception {
    DiagnosticCommand.run(relay.pid(), "GC.run");
    return DiagnosticCommand.run(relay.pid(), "GC.heap_info")
        .lines()
        .filter(line -> line.matches(".*total \\d+K, used \\d+K.*"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*used (\\d+)K.*", "$1")) << 10)
        .sum();
  }
}
