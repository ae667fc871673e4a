package gambit.app.load;

import gambit.app.load.QueryLoop.Answers;
import gambit.core.testkit.NoteQueries.SampleQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The cost of a REQ with its answer and its CLOSE, on a large store. */
final class RequestLoad {
  private static final long WINDOW = 2_000_000_000L;
  private static final int CLIENTS = 8;

  private final BenchmarkContext bench;

  /** One run. */
  private record Run(Cost cost, Answers answers) {}

  RequestLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    List<String> rows = new ArrayList<>();
    rows.add(
        String.format(
            "| REQ, %,d events stored | found | CPU, µs: 1 client | p50, ms | CPU, µs: %d clients | of it in the kernel | REQ/s |",
            bench.events(), CLIENTS));
    try (RelayProcess relay = bench.relay();
        LoadClients peers = new LoadClients(relay.address())) {
      StoredNotes library = StoredNotes.fill(peers, bench.events());
      List<LoadClient> clients = peers.connect(CLIENTS);
      Map<String, Supplier<SampleQuery>> sorts = library.queries().queriesByName();
      for (Supplier<SampleQuery> asked : sorts.values()) {
        QueryLoop.ask(peers, clients, () -> asked.get().json(), WINDOW); // warms up
      }
      for (Map.Entry<String, Supplier<SampleQuery>> sort : sorts.entrySet()) {
        Supplier<SampleQuery> asked = sort.getValue();
        List<Run> one = runs(relay, peers, clients.subList(0, 1), asked);
        List<Run> more = runs(relay, peers, clients, asked);
        rows.add(
            String.format(
                "| %s | %.0f | %.0f | %.2f | %.0f | %.0f | %,.0f |",
                sort.getKey(),
                Cost.median(one, it -> it.answers().events()),
                Cost.median(one, it -> it.cost().micros()),
                Cost.median(one, it -> it.answers().latencies().at(0.5)),
                Cost.median(more, it -> it.cost().micros()),
                Cost.median(more, it -> it.cost().kernelMicros()),
                Cost.median(more, it -> it.cost().perSecond())));
      }
    }
    BenchmarkContext.table(rows);
  }

  private List<Run> runs(
      RelayProcess relay, LoadClients peers, List<LoadClient> clients, Supplier<SampleQuery> asked)
      throws Exception {
    Supplier<String> filters = () -> asked.get().json();
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < bench.runs(); i++) {
      Answers[] answers = new Answers[1];
      Cost cost =
          Cost.of(
              relay,
              () -> {
                answers[0] = QueryLoop.ask(peers, clients, filters, WINDOW);
                return answers[0].latencies().size();
              });
      runs.add(new Run(cost, answers[0]));
    }
    return runs;
  }
}
