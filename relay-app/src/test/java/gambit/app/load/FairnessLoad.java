package gambit.app.load;

import gambit.app.load.LatencyObserver.Probe;
import gambit.app.load.LoadClient.Verb;
import gambit.core.testkit.SyntheticNotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The latencies of a polite client beside impolite ones, which publish as fast as they can or send
 * the most expensive queries. There are two impolite clients, one for each event loop of a relay on
 * two cores. Their own cost in this process also takes a share of the machine.
 */
final class FairnessLoad {
  private static final long WINDOW = 10_000_000_000L;
  private static final int IMPOLITE = 2;
  private static final int FLOOD = 100_000;
  private static final int UNDER_WAY = 4_096;

  private static final int SUBSCRIPTIONS = 200;
  private static final int FILTERS = 20;
  private static final int POPULAR_HASHTAGS = 10;
  private static final int VALUES = 990;
  private static final int THREE_DIGITS = 36 * 36;

  private static final Random RANDOM = new Random(11);

  private final BenchmarkContext bench;
  private final List<String> rows = new ArrayList<>();

  /** Starts the work of the impolite clients. */
  private interface Beginning {
    void begin(LoadClients peers, List<LoadClient> impolite);
  }

  FairnessLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    rows.add(
        "| p50 / p99 / max, ms | REQ by id → EOSE | PING → PONG | CLOSE, PING → PONG | EVENT → OK |");
    try (RelayProcess relay = bench.relay();
        LoadClients peers = new LoadClients(relay.address());
        LoadClients others = new LoadClients(relay.address())) {
      StoredNotes library = StoredNotes.fill(others, bench.events());
      LoadClient observer = peers.connect();
      Supplier<String> byId = () -> library.queries().queriesByName().get("by id").get().json();
      LatencyObserver.watch(peers, observer, byId, WINDOW); // warms up
      measure("alone", peers, observer, byId, others, (all, impolite) -> {});
      List<byte[]> flood =
          library.notes().next(FLOOD).stream().map(BenchmarkContext::frame).toList();
      measure(
          String.format("%d × %,d events under way", IMPOLITE, UNDER_WAY),
          peers,
          observer,
          byId,
          others,
          (all, impolite) -> Publishing.begin(all, impolite, UNDER_WAY, flood, List.of(), 0));
      List<String> scans = requests(SUBSCRIPTIONS, () -> scan(library.notes()));
      measure(
          String.format(
              "%d × %d REQs of %d filters that look at much and find little",
              IMPOLITE, SUBSCRIPTIONS, FILTERS),
          peers,
          observer,
          byId,
          others,
          (all, impolite) -> impolite.forEach(peer -> repeat(all, peer, scans)));
      List<String> values = requests(1, FairnessLoad::unknownValues);
      measure(
          String.format("%d × 1 REQ of %,d values that nothing has", IMPOLITE, FILTERS * VALUES),
          peers,
          observer,
          byId,
          others,
          (all, impolite) -> impolite.forEach(peer -> repeat(all, peer, values)));
    }
    BenchmarkContext.table(rows);
  }

  private void measure(
      String beside,
      LoadClients peers,
      LoadClient observer,
      Supplier<String> filters,
      LoadClients others,
      Beginning beginning)
      throws Exception {
    List<LoadClient> impolite = others.connect(IMPOLITE);
    beginning.begin(others, impolite);
    List<Map<Probe, Latencies>> runs = new ArrayList<>();
    for (int i = 0; i < bench.runs(); i++) {
      runs.add(LatencyObserver.watch(peers, observer, filters, WINDOW));
    }
    impolite.forEach(LoadClient::close);
    rows.add(
        Stream.of(Probe.values())
            .map(probe -> quantiles(runs, probe))
            .collect(Collectors.joining(" | ", "| " + beside + " | ", " |")));
  }

  private static String quantiles(List<Map<Probe, Latencies>> runs, Probe probe) {
    return Stream.of(0.5, 0.99, 1.0)
        .map(share -> String.format("%.1f", Cost.median(runs, run -> run.get(probe).at(share))))
        .collect(Collectors.joining(" / "));
  }

  /** Sends all requests, and each one again after its answer. */
  private static void repeat(LoadClients peers, LoadClient peer, List<String> requests) {
    peer.listen(
        (verb, text) -> {
          if (verb == Verb.EOSE || verb == Verb.CLOSED) {
            peer.send(requests.get(Integer.parseInt(LoadClient.name(text))));
          }
        });
    peers.execute(() -> requests.forEach(peer::send));
  }

  private static List<String> requests(int count, Supplier<String> filter) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Stream.generate(filter)
                    .limit(FILTERS)
                    .collect(Collectors.joining(",", "[\"REQ\",\"" + i + "\",", "]")))
        .toList();
  }

  /** A filter whose values are frequent one by one, but hardly ever occur in one note. */
  private static String scan(SyntheticNotes notes) {
    int hashtag = RANDOM.nextInt(POPULAR_HASHTAGS);
    return String.format(
        "{\"#t\":[\"hashtag%d\",\"hashtag%d\"],\"#p\":[\"%s\"],\"authors\":[\"%s\"]}",
        hashtag, hashtag + 1, notes.author().hex(), notes.author().hex());
  }

  /** Values that no note has, in as few bytes as possible. */
  private static String unknownValues() {
    return IntStream.range(0, VALUES)
        .mapToObj(i -> "\"" + Integer.toString(THREE_DIGITS + i, 36) + "\"")
        .collect(Collectors.joining(",", "{\"#t\":[", "]}"));
  }
}
