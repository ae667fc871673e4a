package gambit.app.server.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All histograms of durations, by name and labels, as Prometheus collects them. Thread-safe. */
final class DurationHistograms implements MultiCollector {
  private final Map<String, Family> families = new ConcurrentHashMap<>();

  private record Family(String help, Map<Labels, DurationHistogram> byLabels) {}

  /** The histogram with that name and these labels, which is created if there is none. */
  DurationHistogram get(String name, String help, String... labels) {
    return families
        .computeIfAbsent(name, n -> new Family(help, new ConcurrentHashMap<>()))
        .byLabels()
        .computeIfAbsent(Labels.of(labels), DurationHistogram::new);
  }

  @Override
  public MetricSnapshots collect() {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    families.forEach((name, family) -> all.metricSnapshot(snapshot(name, family)));
    return all.build();
  }

  private static HistogramSnapshot snapshot(String name, Family family) {
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder().name(name).help(family.help()).unit(Unit.SECONDS);
    family.byLabels().values().forEach(it -> histogram.dataPoint(it.snapshot()));
    return histogram.build();
  }
}
