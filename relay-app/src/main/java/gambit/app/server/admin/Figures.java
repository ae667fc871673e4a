package gambit.app.server.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of the last day: a row a minute, at most {@value #MAX_ROWS}, in memory. They are read
 * from the metrics; counters are differences to the row before. Thread-safe.
 */
final class Figures {
  static final int STEP_SECONDS = 60;
  static final int MAX_ROWS = 24 * 60;

  /** The stages of an event between its check and its OK; see docs/operations/management.md. */
  private static final List<String> STAGES =
      List.of("writer_wait_seconds", "commit_seconds", "fan_out_seconds");

  private final MicrometerMetrics metrics;
  private final InstantSource time;

  @GuardedBy("this")
  private final Deque<Row> rows = new ArrayDeque<>();

  @GuardedBy("this")
  private Counts last;

  @SuppressWarnings("ArrayRecordComponent") // nobody compares rows
  private record Row(long at, double[] values) {}

  private record Counts(Map<String, Double> events, List<long[]> stages) {}

  Figures(MicrometerMetrics metrics, InstantSource time) {
    this.metrics = metrics;
    this.time = time;
    this.last = counts();
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
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("players", metrics.gauge("chess_players") + metrics.gauge("chess_searching"));
    values.put("games", metrics.gauge("chess_games"));
    values.put("connections", metrics.gauge("connections"));
    values.put("subscriptions", metrics.gauge("subscriptions"));
    values.put("events_stored", newEvents(counts, "accepted"));
    for (Prefix reason : Prefix.values()) {
      if (reason != Prefix.DUPLICATE) { // which is accepted
        values.put("events_refused_" + reason.word(), newEvents(counts, reason.word()));
      }
    }
    values.put("disk_free_bytes", metrics.gauge("disk_free_bytes"));
    values.put("store_bytes", metrics.gauge("stored_bytes"));
    values.put("memory_bytes", (double) memoryBytes());
    values.put(
        "heap_bytes", (double) ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    double stages = 0;
    for (int i = 0; i < STAGES.size(); i++) {
      long[] before = last.stages().get(i);
      long[] since = counts.stages().get(i).clone();
      Arrays.setAll(since, bucket -> since[bucket] - before[bucket]);
      stages += MicrometerMetrics.quantileMillis(since, 0.99);
    }
    values.put("p99_ok_ms", Double.isNaN(stages) ? stages : Math.round(stages * 100) / 100.0);
    values.put("outbox_bytes", metrics.gauge("outbox_bytes"));
    return values;
  }

  @GuardedBy("this")
  private double newEvents(Counts counts, String verdict) {
    return counts.events().getOrDefault(verdict, Double.NaN)
        - last.events().getOrDefault(verdict, 0.0);
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
    Map<String, Double> values = values(counts());
    values.keySet().forEach(answer.putArray("names")::add);
    ArrayNode list = answer.putArray("rows");
    for (Row row : rows) {
      if (row.at() > since) {
        ArrayNode numbers = list.addArray().add(row.at());
        for (double value : row.values()) {
          numbers.add(json(value));
        }
      }
    }
    ObjectNode current = answer.putObject("current");
    values.forEach((name, value) -> current.set(name, json(value)));
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
