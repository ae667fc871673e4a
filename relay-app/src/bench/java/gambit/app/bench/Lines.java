package gambit.app.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** All lines, by their names, in the order in which they are measured. */
final class Lines {
  private static final int UNDER_WAY = 64;
  private static final int PACED_CONNECTIONS = 16;
  private static final double PACED_PER_SECOND = 1_000;
  private static final double FAN_OUT_PER_SECOND = 100;
  private static final int FAN_OUT_UNDER_WAY = 16;
  private static final double LATENCY_PER_SECOND = 200;
  private static final double MOVES_PER_SECOND = 2_000;

  private static final Map<String, Function<Bench, List<Line>>> ALL = new LinkedHashMap<>();

  static {
    for (QuerySort sort : QuerySort.values()) {
      ALL.put(sort.line(), bench -> List.of(new RequestLine(bench, sort)));
    }
    put("ingest-8x64", (bench, name) -> IngestLine.of(bench, name, 8, UNDER_WAY));
    put("ingest-100x8", (bench, name) -> IngestLine.of(bench, name, 100, 8));
    put("ingest-1x1", (bench, name) -> IngestLine.of(bench, name, 1, 1));
    put(
        "ingest-paced",
        (bench, name) ->
            IngestLine.paced(bench, name, PACED_CONNECTIONS, UNDER_WAY, PACED_PER_SECOND));
    put("duplicates", (bench, name) -> IngestLine.repeated(bench, name, 8, UNDER_WAY));
    put("mixed", (bench, name) -> new MixedLine(bench));
    put(
        "fan-out-paced",
        (bench, name) ->
            FanOutLine.paced(bench, name, bench.options().subscribers(), FAN_OUT_PER_SECOND));
    put(
        "fan-out-pipelined",
        (bench, name) ->
            FanOutLine.pipelined(bench, name, bench.options().subscribers(), FAN_OUT_UNDER_WAY));
    put("subscriptions", (bench, name) -> FanOutLine.byAuthor(bench, name, FAN_OUT_UNDER_WAY));
    put("latency", (bench, name) -> FanOutLine.paced(bench, name, 1, LATENCY_PER_SECOND));
    put("connections", (bench, name) -> new ConnectionsLine(bench));
    put("moves", (bench, name) -> new MovesLine(bench, name, 0));
    put("moves-paced", (bench, name) -> new MovesLine(bench, name, MOVES_PER_SECOND));
    ALL.put(Box.NAME, Box::lines);
    ALL.put("memory", bench -> List.of(new MemoryLine(bench, false), new MemoryLine(bench, true)));
  }

  /** Makes one line. */
  private interface Maker {
    Line make(Bench bench, String name);
  }

  private Lines() {}

  private static void put(String name, Maker maker) {
    ALL.put(name, bench -> List.of(maker.make(bench, name)));
  }

  static Set<String> names() {
    return ALL.keySet();
  }

  /** The lines with these names, in the order of the names; all but the box for no name. */
  static List<Line> of(Bench bench, List<String> names) {
    List<Line> lines = new ArrayList<>();
    for (String name : names.isEmpty() ? ALL.keySet() : names) {
      if (names.isEmpty() && name.equals(Box.NAME)) {
        continue;
      }
      lines.addAll(Objects.requireNonNull(ALL.get(name)).apply(bench));
    }
    return lines;
  }
}
