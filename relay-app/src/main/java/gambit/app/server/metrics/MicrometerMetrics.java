package gambit.app.server.metrics;

import gambit.core.metrics.Metrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
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
 * Micrometer, histograms of its own in the same registry, because Micrometer's timers take up to 20
 * times as long when several threads record. Thread-safe.
 */
public final class MicrometerMetrics implements Metrics {
  static final String PREFIX = "gambit_";

  private final PrometheusMeterRegistry registry;
  private final Map<String, Durations> durations = new ConcurrentHashMap<>();

  public MicrometerMetrics(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  /** The histograms of a name, as Prometheus collects them. Thread-safe. */
  private record Durations(String name, String help, Map<Labels, DurationHistogram> byLabels)
      implements Collector {
    @Override
    public HistogramSnapshot collect() {
      HistogramSnapshot.Builder histogram =
          HistogramSnapshot.builder().name(name).help(help).unit(Unit.SECONDS);
      byLabels.values().forEach(it -> histogram.dataPoint(it.snapshot()));
      return histogram.build();
    }
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
    Durations named =
        durations.computeIfAbsent(
            name,
            n -> {
              Durations made = new Durations(PREFIX + n, help, new ConcurrentHashMap<>());
              registry.getPrometheusRegistry().register(made);
              return made;
            });
    return named.byLabels().computeIfAbsent(Labels.of(labels), DurationHistogram::new);
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

  public DurationCounts durations(String name) {
    long[] all = new long[DurationHistogram.BOUNDS.length + 1];
    Durations named = durations.get(name);
    if (named != null) {
      for (DurationHistogram each : named.byLabels().values()) {
        long[] counts = each.counts();
        Arrays.setAll(all, i -> all[i] + counts[i]);
      }
    }
    return new DurationCounts(all);
  }

  /**
   * Exports facts about the program as labels; the name gets the suffix {@code _info}, the value is
   * always 1.
   */
  void info(String name, String help, String... labels) {
    InfoSnapshot info =
        InfoSnapshot.builder()
            .name(PREFIX + name)
            .help(help)
            .dataPoint(InfoDataPointSnapshot.builder().labels(Labels.of(labels)).build())
            .build();
    registry.getPrometheusRegistry().register((Collector) () -> info);
  }
}
