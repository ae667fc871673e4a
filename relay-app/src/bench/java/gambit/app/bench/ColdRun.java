package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lines of {@code gambit bench --cold}, which measures a relay that has just been started with
 * an empty store. Its memory and the publication of the data set are first, then its first
 * connections; the number of operations of each line is in proportion to the data set. One thread.
 */
final class ColdRun {
  /** The size of the data set for which the numbers of operations are given. */
  private static final int EVENTS = 120_000;

  /** Ends a line of a relay that takes longer, such as 100 ms for each event. */
  private static final double MAX_SECONDS = 20;

  private static final String CONNECTIONS = "connections";
  private static final Map<String, Integer> OPERATIONS = new LinkedHashMap<>();

  static {
    OPERATIONS.put(CONNECTIONS, 3_000);
    OPERATIONS.put("ingest-100x8", 20_000);
    OPERATIONS.put("ingest-1x1", 5_000);
    OPERATIONS.put("ingest-paced", 5_000);
    for (QuerySort sort : QuerySort.values()) {
      OPERATIONS.put(sort.line(), 10_000);
    }
    OPERATIONS.put("mixed", 10_000);
    OPERATIONS.put("fan-out-pipelined", 1_000);
    OPERATIONS.put("fan-out-paced", 500);
    OPERATIONS.put("subscriptions", 1_000);
    OPERATIONS.put("memory", 1);
  }

  private final Bench bench;
  private final List<Line> done = new ArrayList<>();

  /** What was measured before the lines. */
  private record Done(String name, String parameter, Totals totals) implements Line {
    @Override
    public Totals run(Amount amount) {
      return totals;
    }
  }

  /**
   * A run after the publication of the data set.
   *
   * @param started memory before; null if it is not known
   * @param published what was counted
   */
  ColdRun(Bench bench, ServerProcess.@Nullable Memory started, Totals published)
      throws RelayFailure {
    if (published.operations() == 0) {
      throw new RelayFailure(
          "--cold: the relay stores the data set; start it with an empty store.");
    }
    this.bench = bench;
    if (started != null) {
      for (boolean isAnonymous : new boolean[] {false, true}) {
        String parameter = MemoryLine.parameter(isAnonymous);
        done.add(new Done("memory-started", parameter, MemoryLine.totals(started, isAnonymous)));
      }
    }
    done.add(new Done("ingest-8x64", "", published));
  }

  /** One run of each line, without warming up. */
  static BenchOptions options(BenchOptions given, int events) {
    return new BenchOptions(
        1,
        given.seconds(),
        0,
        given.clients(),
        given.rate(),
        given.subscribers(),
        given.subscriptions(),
        given.games(),
        operations(CONNECTIONS, events),
        given.box());
  }

  /** What was measured before, and the lines with these names; all for no name. */
  List<Line> lines(List<String> names) {
    List<Line> lines = new ArrayList<>(done);
    lines.addAll(Lines.of(bench, names.isEmpty() ? List.copyOf(OPERATIONS.keySet()) : names));
    return lines;
  }

  /** How much of a line is measured, at most. */
  Amount amount(Line line) {
    return new Amount(MAX_SECONDS, operations(line.name(), bench.data().size()));
  }

  private static int operations(String line, int events) {
    long all = OPERATIONS.getOrDefault(line, 1_000);
    return (int) Math.max(1, all * events / EVENTS);
  }
}
