package gambit.app.load;

import gambit.core.model.Event;
import gambit.core.testkit.SyntheticNotes;
import java.util.ArrayList;
import java.util.List;

/** The cost of ingest, from the socket to the disk and back to the OK. */
final class IngestLoad {
  private static final int WARM_UP_RUNS = 3;
  private static final int CONCURRENT_EVENTS = 20_000;
  private static final int SEQUENTIAL_EVENTS = 3_000;
  private static final int CONNECTIONS = 8;
  private static final int UNDER_WAY = 64;
  private static final int ORDINARY_NOTE = 1;

  private final BenchmarkContext bench;
  private final SyntheticNotes notes = SyntheticNotes.signed(1);

  IngestLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    List<String> rows = new ArrayList<>();
    rows.add("| ingest, durable | CPU, µs an event | of it in the kernel | events/s |");
    try (RelayProcess relay = bench.relay();
        LoadClients peers = new LoadClients(relay.address())) {
      List<LoadClient> clients = peers.connect(CONNECTIONS);
      List<Cost> many = new ArrayList<>();
      List<Cost> again = new ArrayList<>();
      for (int i = 0; i < WARM_UP_RUNS + bench.runs(); i++) {
        List<Event> events = notes.next(CONCURRENT_EVENTS);
        many.add(cost(relay, peers, clients, UNDER_WAY, events));
        again.add(
            cost(
                relay,
                peers,
                clients,
                UNDER_WAY,
                events.stream().filter(event -> event.kind() == ORDINARY_NOTE).toList()));
      }
      List<Cost> few = new ArrayList<>();
      for (int i = 0; i < WARM_UP_RUNS + bench.runs(); i++) {
        few.add(cost(relay, peers, clients.subList(0, 1), 1, notes.next(SEQUENTIAL_EVENTS)));
      }
      rows.add(row(CONNECTIONS + " connections, " + UNDER_WAY + " under way on each", many));
      rows.add(row("1 connection, 1 under way", few));
      rows.add(row("the same events again, " + CONNECTIONS + " × " + UNDER_WAY, again));
    }
    BenchmarkContext.table(rows);
  }

  private static Cost cost(
      RelayProcess relay,
      LoadClients peers,
      List<LoadClient> clients,
      int underWay,
      List<Event> events)
      throws Exception {
    List<byte[]> frames = events.stream().map(BenchmarkContext::frame).toList();
    return Cost.of(
        relay,
        () -> {
          Publishing.publish(peers, clients, underWay, frames);
          return frames.size();
        });
  }

  /** A row of the table, without the first runs, which warm up. */
  private static String row(String what, List<Cost> runs) {
    List<Cost> counted = runs.subList(WARM_UP_RUNS, runs.size());
    return String.format(
        "| %s | %.0f | %.0f | %,.0f |",
        what,
        Cost.median(counted, Cost::micros),
        Cost.median(counted, Cost::kernelMicros),
        Cost.median(counted, Cost::perSecond));
  }
}
