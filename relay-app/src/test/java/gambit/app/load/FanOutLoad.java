package gambit.app.load;

import gambit.core.crypto.Signer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The cost of finding the subscribers of an event and of delivering it to them. The cost of ingest,
 * measured on the same relay before the first subscription, is subtracted.
 */
final class FanOutLoad {
  private static final int CONTENT = 280; // which makes 0.6 KB of JSON
  private static final int FRAME = 660; // with it around
  private static final int EVENTS = 10_000;
  private static final int WARM_UP = 30_000;
  private static final int AHEAD = 16;

  private static final int SUBSCRIBERS = 1_000;
  private static final int EVENTS_TO_ALL = 200;

  private static final int[] BY_AUTHOR = {100, 1_000, 10_000, 100_000};
  private static final int ON_A_CONNECTION = 200;
  private static final int WRITING_AUTHORS = 100;

  private final BenchmarkContext bench;
  private final List<Signer> authors =
      Stream.generate(Signer::random).limit(WRITING_AUTHORS).toList();

  FanOutLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  /** Costs without and with subscribers. */
  private record Result(List<Cost> alone, List<Cost> together) {
    double beyond(ToDoubleFunction<Cost> of) {
      return Cost.median(together, of) - Cost.median(alone, of);
    }
  }

  /** Every subscriber receives every event. */
  void toAll() throws Exception {
    List<String> rows = new ArrayList<>();
    rows.add(
        String.format(
            "| one event to %,d subscribers | ingest alone, CPU, µs | CPU, µs an event | µs a delivery | of it in the kernel | deliveries/s |",
            SUBSCRIBERS));
    List<List<String>> everything =
        Collections.nCopies(SUBSCRIBERS, List.of("{\"kinds\":[1],\"limit\":0}"));
    for (int underWay : new int[] {1, AHEAD}) {
      Result result = measure(underWay, everything, EVENTS_TO_ALL, SUBSCRIBERS);
      rows.add(
          String.format(
              "| %d under way | %.0f | %,.0f | %.2f | %.2f | %,.0f |",
              underWay,
              Cost.median(result.alone(), Cost::micros),
              Cost.median(result.together(), Cost::micros),
              result.beyond(Cost::micros) / SUBSCRIBERS,
              result.beyond(Cost::kernelMicros) / SUBSCRIBERS,
              SUBSCRIBERS * Cost.median(result.together(), Cost::perSecond)));
    }
    rows.add(
        String.format(
            "| a bare write of %d bytes to each | | | %.2f | | |",
            FRAME, SocketBaseline.write(SUBSCRIBERS, FRAME) / 1e3));
    BenchmarkContext.table(rows);
  }

  /** There are many subscriptions, and one of them matches each event. */
  void byAuthor() throws Exception {
    List<String> rows = new ArrayList<>();
    rows.add(
        "| subscriptions, each by another author | ingest alone, CPU, µs | CPU, µs an event | beyond ingest, µs | of it on the live lane | events/s |");
    for (int subscriptions : BY_AUTHOR) {
      Result result = measure(AHEAD, byAuthor(subscriptions), EVENTS, 1);
      rows.add(
          String.format(
              "| %,d | %.0f | %.0f | %.1f | %.1f | %,.0f |",
              subscriptions,
              Cost.median(result.alone(), Cost::micros),
              Cost.median(result.together(), Cost::micros),
              result.beyond(Cost::micros),
              result.beyond(Cost::liveMicros),
              Cost.median(result.together(), Cost::perSecond)));
    }
    BenchmarkContext.table(rows);
  }

  /** Filters of each connection, such that one of them matches each published event. */
  private List<List<String>> byAuthor(int subscriptions) {
    List<String> filters =
        IntStream.range(0, subscriptions)
            .mapToObj(i -> i < authors.size() ? authors.get(i).pubkey().hex() : stranger())
            .map(author -> "{\"authors\":[\"" + author + "\"],\"limit\":0}")
            .toList();
    List<List<String>> connections = new ArrayList<>();
    for (int from = 0; from < subscriptions; from += ON_A_CONNECTION) {
      connections.add(filters.subList(from, Math.min(from + ON_A_CONNECTION, subscriptions)));
    }
    return connections;
  }

  private static String stranger() {
    return HexFormat.of().formatHex(Signer.randomSecret());
  }

  /**
   * Measures with one connection that publishes.
   *
   * @param filters of each subscribing connection
   * @param receivers the number of connections that receive each event
   */
  private Result measure(int underWay, List<List<String>> filters, int events, int receivers)
      throws Exception {
    try (RelayProcess relay = bench.relay();
        LoadClients peers = new LoadClients(relay.address())) {
      LoadClient publisher = peers.connect();
      Publishing.publish(peers, List.of(publisher), AHEAD, notes(WARM_UP));
      List<Cost> alone = costs(relay, peers, publisher, underWay, EVENTS, List.of(), 0);
      List<LoadClient> subscribers = peers.connect(filters.size());
      peers.subscribe(subscribers, filters);
      List<Cost> together =
          costs(relay, peers, publisher, underWay, events, subscribers, receivers);
      return new Result(alone, together);
    }
  }

  private List<Cost> costs(
      RelayProcess relay,
      LoadClients peers,
      LoadClient publisher,
      int underWay,
      int events,
      List<LoadClient> subscribers,
      int receivers)
      throws Exception {
    List<Cost> costs = new ArrayList<>();
    for (int i = 0; i <= bench.runs(); i++) {
      List<byte[]> frames = notes(events);
      costs.add(
          Cost.of(
              relay,
              () -> {
                Publishing.publish(
                    peers, List.of(publisher), underWay, frames, subscribers, receivers);
                return events;
              }));
    }
    return costs.subList(1, costs.size()); // the first run warms up
  }

  private List<byte[]> notes(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                BenchmarkContext.frame(
                    BenchmarkContext.note(authors.get(i % authors.size()), CONTENT)))
        .toList();
  }
}
