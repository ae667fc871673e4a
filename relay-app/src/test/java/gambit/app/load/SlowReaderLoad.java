package gambit.app.load;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What clients that never read cost the others: each of them wants all that is stored and all that
 * comes, and takes nothing.
 */
final class SlowReaderLoad {
  private static final List<String> SMALL_HEAP = List.of("-Xmx512m");
  private static final int SLOW = 100;
  private static final int EVENTS = 2_000;
  private static final int PER_SECOND = 200;
  private static final int CONTENT = 16_000;
  private static final int PATIENCE_SECONDS = 120;
  private static final int SAMPLE_MILLIS = 50;
  private static final String LIVE = "{\"kinds\":[1],\"limit\":0}";
  private static final String EVERYTHING = "{\"kinds\":[1],\"limit\":5000}";

  private final Bench bench;
  private final Signer author = Signer.random();
  private final List<String> rows = new ArrayList<>();

  SlowReaderLoad(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    rows.add(
        "| publish → subscriber, "
            + PER_SECOND
            + "/s of 16 KB | p50, ms | p99, ms | max, ms | resident, MB, at most | waiting for clients, MB, at most | live heap, MB, at the end | clients at the end |");
    try (RelayProcess relay = bench.relay(SMALL_HEAP);
        Peers reading = new Peers(relay.address());
        Peers deaf = new Peers(relay.address())) {
      Peer publisher = reading.connect();
      Peer subscriber = reading.connect();
      reading.subscribe(List.of(subscriber), List.of(List.of(LIVE)));
      begin(reading, publisher, subscriber).get(PATIENCE_SECONDS, TimeUnit.SECONDS); // warms up
      measure("alone", relay, reading, publisher, subscriber);
      List<Peer> slow = new ArrayList<>();
      for (int i = 0; i < SLOW; i++) {
        Peer peer = deaf.connectDeaf();
        peer.send("[\"REQ\",\"all\"," + EVERYTHING + "]");
        slow.add(peer);
      }
      measure("beside " + SLOW + " that never read", relay, reading, publisher, subscriber);
      slow.forEach(Peer::close);
      measure("after they have gone", relay, reading, publisher, subscriber);
    }
    Bench.table(rows);
  }

  private void measure(
      String what, RelayProcess relay, Peers peers, Peer publisher, Peer subscriber)
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

  private CompletableFuture<Latencies> begin(Peers peers, Peer publisher, Peer subscriber) {
    List<Event> events = Stream.generate(() -> Bench.note(author, CONTENT)).limit(EVENTS).toList();
    return Paced.publish(peers, publisher, subscriber, events, PER_SECOND);
  }
}
