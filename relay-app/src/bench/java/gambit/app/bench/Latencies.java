package gambit.app.bench;

import java.util.Map;
import org.HdrHistogram.Histogram;

/** The latencies of a run, exact to three digits, up to ten minutes. One thread. */
final class Latencies {
  private static final long MAX_NANOS = 600_000_000_000L;

  private final Histogram histogram = new Histogram(MAX_NANOS, 3);

  void add(long nanos) {
    histogram.recordValue(Math.max(0, Math.min(nanos, MAX_NANOS)));
  }

  long count() {
    return histogram.getTotalCount();
  }

  void addTo(Map<Measure, Double> values) {
    if (count() > 0) {
      values.put(Measure.P50_MS, at(50));
      values.put(Measure.P90_MS, at(90));
      values.put(Measure.P99_MS, at(99));
      values.put(Measure.P999_MS, at(99.9));
      values.put(Measure.MAX_MS, histogram.getMaxValue() / 1e6);
    }
  }

  /** A percentile in milliseconds. */
  double at(double percent) {
    return histogram.getValueAtPercentile(percent) / 1e6;
  }

  void add(Latencies others) {
    histogram.add(others.histogram);
  }
}
