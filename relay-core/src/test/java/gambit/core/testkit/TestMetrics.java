package gambit.core.testkit;

import gambit.core.metrics.Metrics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Metrics whose values tests read by name, {@code name{label=value}}; a timer's number of recorded
 * durations as {@code name_count}. Any thread.
 */
public final class TestMetrics implements Metrics {
  private final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();
  private final Map<String, DoubleSupplier> gauges = new ConcurrentHashMap<>();

  @Override
  public Counter counter(String name, String help, String... labels) {
    return counters.computeIfAbsent(key(name, labels), key -> new AtomicLong())::addAndGet;
  }

  @Override
  public Timer timer(String name, String help, String... labels) {
    AtomicLong count =
        counters.computeIfAbsent(key(name + "_count", labels), key -> new AtomicLong());
    return nanos -> count.incrementAndGet();
  }

  @Override
  public void gauge(String name, String help, DoubleSupplier value, String... labels) {
    gauges.put(key(name, labels), value);
  }

  private static String key(String name, String... labels) {
    StringBuilder key = new StringBuilder(name);
    for (int i = 0; i < labels.length; i += 2) {
      key.append('{').append(labels[i]).append('=').append(labels[i + 1]).append('}');
    }
    return key.toString();
  }

  /** The current value of a counter or gauge; 0 for an unused counter. */
  public long read(String name) {
    DoubleSupplier gauge = gauges.get(name);
    return gauge != null
        ? (long) gauge.getAsDouble()
        : counters.getOrDefault(name, new AtomicLong()).get();
  }
}
