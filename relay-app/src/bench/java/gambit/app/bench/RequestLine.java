package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.util.List;

/** REQs of one sort, by some clients with one REQ each at a time. */
final class RequestLine implements Line {
  private final Bench bench;
  private final QuerySort sort;
  private List<BenchQuery> queries = List.of();
  private List<BenchClient> clients = List.of();

  RequestLine(Bench bench, QuerySort sort) {
    this.bench = bench;
    this.sort = sort;
  }

  @Override
  public String name() {
    return sort.line();
  }

  @Override
  public String reasonToSkip() {
    return bench.oracle().size() == 0 ? "nothing is stored" : "";
  }

  @Override
  public void open() throws RelayFailure {
    queries = sort.queries(bench.oracle(), bench.data().authors(), bench.data().seed());
    clients = bench.clients().connect(bench.options().clients());
  }

  @Override
  public Totals run(Amount amount) throws RelayFailure {
    Asking asking = new Asking(queries, bench.data().seed());
    Pacing pacing = amount.pacing(bench.options().rate());
    Loop loop = new Loop(bench.clients(), pacing, asking, new Totals());
    asking.listen(clients, loop);
    loop.run(clients, 1, bench.server());
    return loop.totals();
  }

  @Override
  public void close() {
    Bench.close(clients);
  }
}
