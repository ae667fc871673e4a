package gambit.app.server.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.server.metrics.DurationCounts;
import gambit.app.server.metrics.MicrometerMetrics;
import gambit.core.lane.Deadlines;
import gambit.core.wire.Reason.Prefix;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The figures of the last day: a row a minute, at most {@value #MAX_ROWS}, in memory. They are read
 * from the metrics; counters are differences to the row before. Thread-safe.
 */
final class Figures {
  static final int STEP_SECONDS = 60;
  static final int MAX_ROWS = 24 * 60;

  private static final Map<String, String> GAUGES =
      Map.of(
          "games", "chess_games",
          "connections", "connections",
          "subscriptions", "subscriptions",
          "disk_free_bytes", "disk_free_bytes",
          "store_bytes", "stored_bytes",
          "outbox_bytes", "outbox_bytes");

  private static final String STORED = "events_stored";
  private static final String REFUSED = "events_refused_";

  /** The stages of an event between its check and its OK; see docs/operations/management.md. */
  private static final List<String> STAGES =
      List.of("writer_wait_seconds", "commit_seconds", "fan_out_seconds");

  private final MicrometerMetrics metrics;
  private final InstantSource time;
  private final List<String> names = new ArrayList<>();

  @GuardedBy("this")
  private final Deque<Row> rows = new ArrayDeque<>();

  @GuardedBy("this")
  private Counts last;

  @SuppressWarnings("ArrayRecordComponent") // nobody compares rows
  private record Row(long at, double[] values) {}

  /** What only grows. */
  private record Counts(Map<String, Double> events, List<DurationCounts> stages) {}

  Figures(MicrometerMetrics metrics, InstantSource time) {
    this.metrics = metrics;
    this.time = time;
    this.last = counts();
    names.addAll(List.of("players", "games", "connections", "subscriptions", STORED));
    for (Prefix reason : Prefix.values()) {
      if (reason != Prefix.DUPLICATE) { // which is accepted
        names.add(REFUSED + reason.word());
      }
    }
    names.addAll(
        List.of(
            "disk_free_bytes",
            "store_bytes",
            "memory_bytes",
            "heap_bytes",
            "p99_ok_ms",
            "outbox_bytes"));
  }

  /** Takes a row now and at the beginning of each minute. */
  void start(Deadlines deadlines) {
    sample();
    long second = Math.floorMod(time.instant().getEpochSecond(), (long) STEP_SECONDS);
    deadlines.set(this, Duration.ofSeconds(STEP_SECONDS - second), () -> start(deadlines));
  }

  /** Adds a row; rows from later on are removed, since the clock was set back. */
  synchronized void sample() {
    long now = time.instant().getEpochSecond();
    while (!rows.isEmpty() && rows.getLast().at() >= now) {
      rows.removeLast();
    }
    Counts counts = counts();
    double[] values = values(counts).values().stream().mapToDouble(it -> it).toArray();
    rows.add(new Row(now, values));
    last = counts;
    if (rows.size() > MAX_ROWS) {
      rows.removeFirst();
    }
  }

  private Counts counts() {
    return new Counts(
        metrics.counters("events", "verdict"), STAGES.stream().map(metrics::durations).toList());
  }

  /** The values by name, in order; what there is none of is not a number. */
  @GuardedBy("this")
  private Map<String, Double> values(Counts counts) {
    Map<String, Double> all = new TreeMap<>();
    GAUGES.forEach((name, gauge) -> all.put(name, metrics.gauge(gauge)));
    all.put("players", metrics.gauge("chess_players") + metrics.gauge("chess_searching"));
    counts
        .events()
        .forEach(
            (verdict, count) ->
                all.put(
                    verdict.equals("accepted") ? STORED : REFUSED + verdict,
                    count - last.events().getOrDefault(verdict, 0.0)));
    double stages = 0;
    for (int i = 0; i < STAGES.size(); i++) {
      stages += counts.stages().get(i).since(last.stages().get(i)).quantileMillis(0.99);
    }
    all.put("p99_ok_ms", Double.isNaN(stages) ? stages : Math.round(stages * 100) / 100.0);
    all.put("heap_bytes", (double) heapBytes());
    all.put("memory_bytes", (double) memoryBytes());
    Map<String, Double> ordered = new LinkedHashMap<>();
    names.forEach(name -> ordered.put(name, all.getOrDefault(name, Double.NaN)));
    return ordered;
  }

  private static long heapBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** The memory of the process; where the system does not say, what Java has from it. */
  private static long memoryBytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        }
      }
    } catch (IOException e) {
      // no Linux
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted()
        + ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getCommitted();
  }

  /** The rows after a time, in seconds, and the values now. */
  synchronized ObjectNode since(long since) {
    long now = time.instant().getEpochSecond();
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.put("now", now).put("step", STEP_SECONDS);
    names.forEach(answer.putArray("names")::add);
    ArrayNode list = answer.putArray("rows");
    for (Row row : rows) {
      if (row.at() > since) {
        ArrayNode values = list.addArray().add(row.at());
        for (double value : row.values()) {
          values.add(json(value));
        }
      }
    }
    ObjectNode current = answer.putObject("current");
    values(counts()).forEach((name, value) -> current.set(name, json(value)));
    return answer;
  }

  /** A number, a whole one without a fraction; null if there is none. */
  private static JsonNode json(double value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (Double.isNaN(value)) {
      return nodes.nullNode();
    }
    return value == Math.rint(value) ? nodes.numberNode((long) value) : nodes.numberNode(value);
  }
}
