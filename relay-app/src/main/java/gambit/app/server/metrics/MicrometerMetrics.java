package gambit.app.server.metrics;

import gambit.core.metrics.Metrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/**
 * Implements the relay's metrics with the prefix {@code gambit_}: counters and gauges on
 * Micrometer, histograms of durations on the client library of Prometheus in the same registry,
 * because Micrometer's timers take several times as long when several threads record. Thread-safe.
 */
public final class MicrometerMetrics implements Metrics {
  static final String PREFIX = "gambit_";

  /** The upper bounds of a timer's buckets, in seconds; a last bucket has none. */
  static final double[] BOUNDS = {
    25e-6, 50e-6, 1e-4, 25e-5, 5e-4, 1e-3, 25e-4, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
    5, 10
  };

  private static final double NANOS_IN_SECOND = 1e9;

  private final PrometheusMeterRegistry registry;
  private final Map<String, Histogram> timers = new ConcurrentHashMap<>();

  public MicrometerMetrics(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Counter counter(String name, String help, String... labels) {
    return io.micrometer.core.instrument.Counter.builder(PREFIX + name)
            .description(help)
            .tags(labels)
            .register(registry)
        ::increment;
  }

  @Override
  public Timer timer(String name, String help, String... labels) {
    Labels pairs = Labels.of(labels);
    Histogram histogram =
        timers.computeIfAbsent(
            name,
            n ->
                Histogram.builder()
                    .name(PREFIX + n)
                    .help(help)
                    .unit(Unit.SECONDS)
                    .labelNames(pairs.stream().map(Label::getName).toArray(String[]::new))
                    .classicOnly()
                    .classicUpperBounds(BOUNDS)
                    .withoutExemplars()
                    .register(registry.getPrometheusRegistry()));
    DistributionDataPoint durations =
        histogram.labelValues(pairs.stream().map(Label::getValue).toArray(String[]::new));
    return nanos -> durations.observe(Math.max(0, nanos) / NANOS_IN_SECOND);
  }

  @Override
  public void gauge(String name, String help, DoubleSupplier value, String... labels) {
    Gauge.builder(PREFIX + name, value::getAsDouble)
        .description(help)
        .tags(labels)
        .strongReference(true)
        .register(registry);
  }

  /** The value that a gauge without labels has now; not a number if there is none. */
  public double gauge(String name) {
    Gauge gauge = registry.find(PREFIX + name).gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  /** The counters of a name by the values of their label. */
  public Map<String, Double> counters(String name, String label) {
    Map<String, Double> counts = new TreeMap<>();
    for (var counter : registry.find(PREFIX + name).counters()) {
      counts.put(Objects.requireNonNullElse(counter.getId().getTag(label), ""), counter.count());
    }
    return counts;
  }

  /** The durations of a timer in each of its buckets, those of all labels together. */
  public long[] durations(String name) {
    long[] all = new long[BOUNDS.length + 1];
    Histogram histogram = timers.get(name);
    if (histogram != null) {
      for (HistogramDataPointSnapshot each : histogram.collect().getDataPoints()) {
        ClassicHistogramBuckets counts = each.getClassicBuckets();
        Arrays.setAll(all, i -> all[i] + counts.getCount(i));
      }
    }
    return all;
  }

  /**
   * A quantile of durations in buckets, in milliseconds, interpolated within its bucket; the last
   * bound if it is beyond that; not a number if there are no durations.
   */
  public static double quantileMillis(long[] durations, double quantile) {
    long all = Arrays.stream(durations).sum();
    double rank = all * quantile;
    double below = 0;
    for (int i = 0; i < BOUNDS.length && all > 0; i++) {
      if (below + durations[i] >= rank) {
        double from = i == 0 ? 0 : BOUNDS[i - 1];
        double part = durations[i] == 0 ? 1 : (rank - below) / durations[i];
        return (from + part * (BOUNDS[i] - from)) * 1000;
      }
      below += durations[i];
    }
    return all == 0 ? Double.NaN : BOUNDS[BOUNDS.length - 1] * 1000;
  }
}
