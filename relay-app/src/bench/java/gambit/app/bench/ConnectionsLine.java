package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Connections with a REQ each that stay idle: the CPU to open one with its REQ, and the growth of
 * the relay's resident memory for each. They are closed after each run, which cannot be shorter.
 */
final class ConnectionsLine implements Line {
  private static final int FIRST_CONNECTIONS = 500;
  private static final int AT_ONCE = 50;

  private final Bench bench;
  private final SplittableRandom random;
  private long residentBefore;

  ConnectionsLine(Bench bench) {
    this.bench = bench;
    this.random = new SplittableRandom(bench.data().seed() + 3);
  }

  @Override
  public String name() {
    return "connections";
  }

  @Override
  public String parameter() {
    return Integer.toString(bench.options().connections());
  }

  /** Warms up with some connections, so that what only the first ones take is not measured. */
  @Override
  public void open() throws RelayFailure {
    if (bench.options().warmUpSeconds() > 0) {
      open(Math.min(FIRST_CONNECTIONS, bench.options().connections()), new Totals());
    }
    ServerProcess server = bench.server();
    residentBefore = server == null ? 0 : server.memory().resident();
  }

  @Override
  public Totals run(Amount amount) throws RelayFailure {
    Totals totals = new Totals();
    open(bench.options().connections(), totals);
    return totals;
  }

  private void open(int count, Totals totals) throws RelayFailure {
    List<BenchClient> all = new ArrayList<>();
    ServerProcess server = bench.server();
    ServerProcess.Cpu cpu = server == null ? null : server.cpu();
    long start = System.nanoTime();
    try {
      while (all.size() < count) {
        long begun = System.nanoTime();
        List<BenchClient> few = bench.clients().connect(Math.min(AT_ONCE, count - all.size()));
        all.addAll(few);
        Subscribing.open(bench.clients(), few, Collections.nCopies(few.size(), List.of(filter())));
        long nanos = (System.nanoTime() - begun) / few.size();
        few.forEach(client -> totals.operation(nanos));
      }
      long nanos = System.nanoTime() - start;
      if (server == null || cpu == null) {
        totals.took(nanos, null);
      } else {
        totals.took(nanos, server.cpu().minus(cpu));
        totals.bytes(server.memory().resident() - residentBefore);
      }
    } finally {
      Bench.close(all);
    }
  }

  private String filter() {
    return "{\"authors\":[\""
        + HexFormat.of().formatHex(Authors.bytes(random))
        + "\"],\"kinds\":["
        + SyntheticTraffic.NOTE
        + "]}";
  }
}
