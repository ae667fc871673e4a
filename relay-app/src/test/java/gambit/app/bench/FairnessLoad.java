package gambit.app.bench;

import gambit.app.bench.LatencyObserver.Probe;
import gambit.app.bench.Message.Verb;
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
    void begin(BenchClients peers, List<BenchClient> impolite);
  }

  FairnessLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    rows.add(
        "| p50 / p99 / max, ms | REQ by id → EOSE | PING → PONG | CLOSE, PING → PONG | EVENT → OK |");
    try (RelayProcess relay = bench.relay();
        BenchClients peers = new BenchClients(relay.url());
        BenchClients others = new BenchClients(relay.url())) {
      DataSet data = new DataSet(11, bench.events());
      Oracle oracle = new Oracle(data);
      new Preparation(others, data, oracle, line -> {}).run(null);
      List<BenchQuery> queries = QuerySort.IDS.queries(oracle, data.authors(), data.seed());
      BenchClient observer = peers.connect();
      Supplier<String> byId = () -> queries.get(RANDOM.nextInt(queries.size())).filters();
      LatencyObserver.watch(peers, observer, byId, WINDOW); // warms up
      measure("alone", peers, observer, byId, others, (all, impolite) -> {});
      SyntheticTraffic traffic =
          new SyntheticTraffic(System.nanoTime(), data.authors(), data.authors(), "flood ");
      EventSource flood = new EventSource(time -> traffic.next(time, SyntheticTraffic.NOTE));
      flood.prepare(FLOOD * bench.runs());
      measure(
          String.format("%d × %,d events under way", IMPOLITE, UNDER_WAY),
          peers,
          observer,
          byId,
          others,
          (all, impolite) -> publish(all, impolite, flood));
      List<String> scans = requests(SUBSCRIPTIONS, () -> scan(data.authors()));
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
      BenchClients peers,
      BenchClient observer,
      Supplier<String> filters,
      BenchClients others,
      Beginning beginning)
      throws Exception {
    List<BenchClient> impolite = others.connect(IMPOLITE);
    beginning.begin(others, impolite);
    List<Map<Probe, Latencies>> runs = new ArrayList<>();
    for (int i = 0; i < bench.runs(); i++) {
      runs.add(LatencyObserver.watch(peers, observer, filters, WINDOW));
    }
    impolite.forEach(BenchClient::close);
    rows.add(
        Stream.of(Probe.values())
            .map(probe -> quantiles(runs, probe))
            .collect(Collectors.joining(" | ", "| " + beside + " | ", " |")));
  }

  private static String quantiles(List<Map<Probe, Latencies>> runs, Probe probe) {
    return Stream.of(0.5, 0.99, 1.0)
        .map(
            share ->
                String.format(
                    "%.1f", BenchmarkContext.median(runs, run -> run.get(probe).at(100 * share))))
        .collect(Collectors.joining(" / "));
  }

  /** Publishes in the background as fast as the relay answers, until the connections close. */
  private static void publish(BenchClients all, List<BenchClient> impolite, EventSource events) {
    Publishing publishing = new Publishing(events::next, event -> false);
    Loop loop =
        new Loop(all, Amount.ofSeconds(Integer.MAX_VALUE).pacing(0), publishing, new Totals());
    publishing.listen(impolite, List.of(), loop);
    loop.begin(impolite, UNDER_WAY);
  }

  /** Sends all requests, and each one again after its answer. */
  private static void repeat(BenchClients peers, BenchClient peer, List<String> requests) {
    peer.listen(
        message -> {
          if (message.verb() == Verb.EOSE || message.verb() == Verb.CLOSED) {
            peer.send(requests.get(Integer.parseInt(message.name())));
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
  private static String scan(Authors authors) {
    int hashtag = RANDOM.nextInt(POPULAR_HASHTAGS);
    return String.format(
        "{\"#t\":[\"hashtag%d\",\"hashtag%d\"],\"#p\":[\"%s\"],\"authors\":[\"%s\"]}",
        hashtag,
        hashtag + 1,
        authors.hex(RANDOM.nextInt(authors.size())),
        authors.hex(RANDOM.nextInt(authors.size())));
  }

  /** Values that no note has, in as few bytes as possible. */
  private static String unknownValues() {
    return IntStream.range(0, VALUES)
        .mapToObj(i -> "\"" + Integer.toString(THREE_DIGITS + i, 36) + "\"")
        .collect(Collectors.joining(",", "{\"#t\":[", "]}"));
  }
}
