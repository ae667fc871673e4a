package gambit.app.load;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

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
        LoadClients reading = new LoadClients(relay.address());
        LoadClients nonReading = new LoadClients(relay.address())) {
      LoadClient publisher = reading.connect();
      LoadClient subscriber = reading.connect();
      reading.subscribe(List.of(subscriber), List.of(List.of(LIVE)));
      begin(reading, publisher, subscriber).get(TIMEOUT_SECONDS, TimeUnit.SECONDS); // warms up
      measure("alone", relay, reading, publisher, subscriber);
      List<LoadClient> slow = new ArrayList<>();
      for (int i = 0; i < SLOW_READERS; i++) {
        LoadClient peer = nonReading.connectNonReading();
        peer.send("[\"REQ\",\"all\"," + EVERYTHING + "]");
        slow.add(peer);
      }
      measure("beside " + SLOW_READERS + " that never read", relay, reading, publisher, subscriber);
      slow.forEach(LoadClient::close);
      measure("after they have gone", relay, reading, publisher, subscriber);
    }
    BenchmarkContext.table(rows);
  }

  private void measure(
      String what,
      RelayProcess relay,
      LoadClients peers,
      LoadClient publisher,
      LoadClient subscriber)
      throws Exception {
    CompletableFuture<Latencies> done = begin(peers, publisher, subscriber);
    long resident = 0;
    long waiting = 0;
    while (!done.isDone()) {
      resident = Math.max(resident, relay.resident());
      waiting = Math.max(waiting, relay.gauge("outbox_bytes"));
      Thread.sleep(SAMPLE_MILLIS);
    }
    Latencies latencies = done.get();
    long clients = relay.gauge("connections");
    rows.add(
        String.format(
            "| %s | %.2f | %.2f | %.1f | %,d | %,d | %,d | %d |",
            what,
            latencies.at(0.5),
            latencies.at(0.99),
            latencies.at(1),
            resident >> 20,
            waiting >> 20,
            relay.liveHeap() >> 20,
            clients));
  }

  private CompletableFuture<Latencies> begin(
      LoadClients peers, LoadClient publisher, LoadClient subscriber) {
    List<Event> events =
        Stream.generate(() -> BenchmarkContext.note(author, CONTENT)).limit(EVENTS).toList();
    return PacedPublishing.publish(peers, publisher, subscriber, events, PER_SECOND);
  }
}
