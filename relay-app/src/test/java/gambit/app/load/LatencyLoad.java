package gambit.app.load;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** How long it takes from one client, over the disk, to another one, when nothing else happens. */
final class LatencyLoad {
  private static final int EVENTS = 2_000;
  private static final int PER_SECOND = 200;
  private static final int CONTENT = 280;
  private static final int PATIENCE_SECONDS = 60;

  private final Bench bench;

  LatencyLoad(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    List<Latencies> runs = new ArrayList<>();
    Signer author = Signer.random();
    try (RelayProcess relay = bench.relay();
        Peers peers = new Peers(relay.address())) {
      Peer publisher = peers.connect();
      Peer subscriber = peers.connect();
      peers.subscribe(List.of(subscriber), List.of(List.of("{\"kinds\":[1],\"limit\":0}")));
      for (int i = 0; i <= bench.runs(); i++) {
        List<Event> events =
            Stream.generate(() -> Bench.note(author, CONTENT)).limit(EVENTS).toList();
        runs.add(
            Paced.publish(peers, publisher, subscriber, events, PER_SECOND)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
    }
    List<Latencies> counted = runs.subList(1, runs.size()); // the first one warms up
    Bench.table(
        List.of(
            "| publish → subscriber, idle relay | p50, ms | p99, ms | max, ms |",
            String.format(
                "| %,d events, %d/s | %.2f | %.2f | %.2f |",
                EVENTS,
                PER_SECOND,
                Cost.median(counted, it -> it.at(0.5)),
                Cost.median(counted, it -> it.at(0.99)),
                Cost.median(counted, it -> it.at(1)))));
  }
}
