package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.util.List;
import java.util.Random;

/** REQs of all sorts and new events, four to one, by the same clients. */
final class MixedLine implements Line {
  private static final int EVENT_OF = 5;
  private static final double EVENTS_PER_SECOND_AT_FIRST = 300;

  private final Bench bench;
  private final EventSource source;
  private List<BenchQuery> queries = List.of();
  private List<BenchClient> clients = List.of();
  private double eventsPerSecond = EVENTS_PER_SECOND_AT_FIRST;

  MixedLine(Bench bench) {
    this.bench = bench;
    this.source = bench.events();
  }

  @Override
  public String name() {
    return "mixed";
  }

  @Override
  public String reasonToSkip() {
    return bench.oracle().size() == 0 ? "nothing is stored" : "";
  }

  @Override
  public void open() throws RelayFailure {
    queries = QuerySort.all(bench.oracle(), bench.data().authors(), bench.data().seed());
    clients = bench.clients().connect(bench.options().clients());
  }

  @Override
  public Totals run(Amount amount) throws RelayFailure {
    source.prepare(amount.events(eventsPerSecond));
    Asking asking = new Asking(queries, bench.data().seed());
    Publishing publishing = new Publishing(source::next, SignedEvent::isReplaceable);
    Random random = new Random(bench.data().seed());
    long[] events = {0};
    Loop.Operations both =
        new Loop.Operations() {
          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public void begin(BenchClient client, long begun, Loop loop) {
            if (random.nextInt(EVENT_OF) == 0) {
              events[0]++;
              publishing.begin(client, begun, loop);
            } else {
              asking.begin(client, begun, loop);
            }
          }
        };
    Pacing pacing = amount.pacing(bench.options().rate());
    Loop loop = new Loop(bench.clients(), pacing, both, new Totals());
    for (BenchClient client : clients) {
      Publishing.listen(
          client,
          message -> {
            if (message.verb() == Message.Verb.OK) {
              publishing.answered(message, loop);
            } else {
              asking.received(client, message, loop);
            }
          },
          loop);
    }
    loop.run(clients, 1, bench.server());
    eventsPerSecond = events[0] / (loop.totals().nanos() / 1e9);
    return loop.totals();
  }

  @Override
  public void close() {
    Bench.close(clients);
  }
}
