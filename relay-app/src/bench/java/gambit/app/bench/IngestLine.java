package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.util.ArrayList;
import java.util.List;

/** New events, each answered with OK true once it is stored. */
final class IngestLine implements Line {
  private static final double EVENTS_PER_SECOND_AT_FIRST = 1_000;
  private static final int REPEATED = 5_000;

  private final Bench bench;
  private final String name;
  private final int connections;
  private final int each;
  private final double perSecond;
  private final boolean isRepeating;
  private final EventSource source;
  private List<BenchClient> clients = List.of();
  private List<SignedEvent> repeated = List.of();
  private double expectedPerSecond;

  private IngestLine(
      Bench bench, String name, int connections, int each, double rate, boolean isRepeating) {
    this.bench = bench;
    this.name = name;
    this.connections = connections;
    this.each = each;
    this.perSecond = rate;
    this.isRepeating = isRepeating;
    this.source = isRepeating ? bench.lastingEvents() : bench.events();
    this.expectedPerSecond = rate == 0 ? EVENTS_PER_SECOND_AT_FIRST : rate;
  }

  /** New events with some under way on each of some connections; in an open loop if so asked. */
  static Line of(Bench bench, String name, int connections, int each) {
    return new IngestLine(bench, name, connections, each, bench.options().rate(), false);
  }

  /** New events in an open loop. */
  static Line paced(Bench bench, String name, int connections, int each, double perSecond) {
    return new IngestLine(bench, name, connections, each, perSecond, false);
  }

  /** Events that are stored. */
  static Line repeated(Bench bench, String name, int connections, int each) {
    return new IngestLine(bench, name, connections, each, bench.options().rate(), true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void open() throws RelayFailure {
    clients = bench.clients().connect(connections);
    if (isRepeating) {
      source.prepare(REPEATED);
      repeated = new ArrayList<>();
      for (int i = 0; i < REPEATED; i++) {
        repeated.add(source.next());
      }
      publishAll(bench, clients, each, repeated);
    }
  }

  /** Publishes events that must all be stored. */
  private static void publishAll(
      Bench bench, List<BenchClient> clients, int each, List<SignedEvent> events)
      throws RelayFailure {
    var next = events.iterator();
    Publishing publishing =
        new Publishing(() -> next.hasNext() ? next.next() : null, event -> false);
    Loop loop =
        new Loop(
            bench.clients(),
            Amount.ofOperations(events.size()).pacing(0),
            publishing,
            new Totals());
    publishing.listen(clients, List.of(), loop);
    loop.run(clients, each, null);
  }

  @Override
  public Totals run(Amount amount) throws RelayFailure {
    int[] place = {0};
    if (!isRepeating) {
      source.prepare(amount.events(expectedPerSecond));
    }
    Publishing publishing =
        new Publishing(
            isRepeating ? () -> repeated.get(place[0]++ % repeated.size()) : source::next,
            event -> isRepeating || event.isReplaceable());
    Loop loop = new Loop(bench.clients(), amount.pacing(perSecond), publishing, new Totals());
    publishing.listen(clients, List.of(), loop);
    loop.run(clients, each, bench.server());
    if (!isRepeating) {
      expectedPerSecond = loop.totals().perSecond();
    }
    return loop.totals();
  }

  @Override
  public void close() {
    Bench.close(clients);
  }
}
