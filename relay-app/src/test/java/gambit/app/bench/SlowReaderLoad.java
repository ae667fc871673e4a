package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The cost of slow readers for other clients: each of them subscribes to all stored and live
 * events, and reads nothing.
 */
final class SlowReaderLoad {
  private static final List<String> SMALL_HEAP = List.of("-Xmx512m");
  private static final int SLOW_READERS = 100;
  private static final int EVENTS = 2_000;
  private static final int PER_SECOND = 200;
  private static final int CONTENT = 16_000;
  private static final int TIMEOUT_SECONDS = 120;
  private static final int SAMPLE_MILLIS = 50;
  private static final String LIVE = "{\"kinds\":[1],\"limit\":0}";
  private static final String EVERYTHING = "{\"kinds\":[1],\"limit\":5000}";

  private final BenchmarkContext bench;
  private final Signer author = Signer.random();
  private final List<String> rows = new ArrayList<>();

  SlowReaderLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    rows.add(
        "| publish → subscriber, "
            + PER_SECOND
            + "/s of 16 KB | p50, ms | p99, ms | max, ms | resident, MB, at most | waiting for clients, MB, at most | live heap, MB, at the end | clients at the end |");
    try (RelayProcess relay = bench.relay(SMALL_HEAP);
        BenchClients reading = new BenchClients(relay.url());
        BenchClients nonReading = new BenchClients(relay.url())) {
      BenchClient publisher = reading.connect();
      BenchClient subscriber = reading.connect();
      Subscribing.open(reading, List.of(subscriber), List.of(List.of(LIVE)));
      begin(reading, publisher, subscriber).get(TIMEOUT_SECONDS, TimeUnit.SECONDS); // warms up
      measure("alone", relay, reading, publisher, subscriber);
      List<BenchClient> slow = new ArrayList<>();
      for (int i = 0; i < SLOW_READERS; i++) {
        BenchClient peer = nonReading.connectNonReading();
        peer.send("[\"REQ\",\"all\"," + EVERYTHING + "]");
        slow.add(peer);
      }
      measure("beside " + SLOW_READERS + " that never read", relay, reading, publisher, subscriber);
      slow.forEach(BenchClient::close);
      measure("after they have gone", relay, reading, publisher, subscriber);
    }
    BenchmarkContext.table(rows);
  }

  private void measure(
      String what,
      RelayProcess relay,
      BenchClients peers,
      BenchClient publisher,
      BenchClient subscriber)
      throws Exception {
    CompletableFuture<Totals> done = begin(peers, publisher, subscriber);
    long resident = 0;
    long waiting = 0;
    while (!done.isDone()) {
      resident = Math.max(resident, relay.resident());
      waiting = Math.max(waiting, relay.gauge("outbox_bytes"));
      Thread.sleep(SAMPLE_MILLIS);
    }
    Map<Measure, Double> values = done.get().values();
    long clients = relay.gauge("connections");
    rows.add(
        String.format(
            "| %s | %.2f | %.2f | %.1f | %,d | %,d | %,d | %d |",
            what,
            values.get(Measure.P50_MS),
            values.get(Measure.P99_MS),
            values.get(Measure.MAX_MS),
            resident >> 20,
            waiting >> 20,
            relay.liveHeap() >> 20,
            clients));
  }

  private CompletableFuture<Totals> begin(
      BenchClients peers, BenchClient publisher, BenchClient subscriber) {
    EventSource events =
        new EventSource(
            time ->
                Draft.of(0, author, time, 1, Tags.NONE, "x".repeat(CONTENT) + System.nanoTime()));
    events.prepare(EVENTS);
    BitSet first = BitSet.valueOf(new long[] {1});
    Publishing publishing =
        new Publishing(events::next, event -> (BitSet) first.clone(), event -> false);
    Pacing pacing = Amount.ofOperations(EVENTS).pacing(PER_SECOND);
    Loop loop = new Loop(peers, pacing, publishing, new Totals());
    publishing.listen(List.of(publisher), List.of(subscriber), loop);
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            loop.run(List.of(publisher), EVENTS, null);
            return loop.totals();
          } catch (RelayFailure e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
