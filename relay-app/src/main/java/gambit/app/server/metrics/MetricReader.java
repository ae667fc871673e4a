package gambit.app.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The values that the program's metrics have now, by names without prefix and suffix. Thread-safe.
 */
public final class MetricReader {
  private final MeterRegistry registry;
  private final MicrometerMetrics metrics;

  MetricReader(MeterRegistry registry, MicrometerMetrics metrics) {
    this.registry = registry;
    this.metrics = metrics;
  }

  /** The value of a gauge without labels; not a number if there is none. */
  public double gauge(String name) {
    Gauge gauge = registry.find(MicrometerMetrics.PREFIX + name).gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  /** The counters of a name by the values of their label. */
  public Map<String, Double> counters(String name, String label) {
    Map<String, Double> counts = new TreeMap<>();
    for (Counter counter : registry.find(MicrometerMetrics.PREFIX + name).counters()) {
      counts.put(Objects.requireNonNullElse(counter.getId().getTag(label), ""), counter.count());
    }
    return counts;
  }

  /** The histogram of durations of that name, so far. */
  public DurationCounts durations(String name) {
    return metrics.durations(name);
  }
}
