package gambit.app.server.metrics;

import gambit.core.metrics.Metrics;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A histogram of durations from 25 µs to 10 s. Recording takes some 15 ns, allocates nothing, and
 * costs several threads at once no more than one: each bucket is a striped counter. Micrometer's
 * timers take 70 ns, and 150 to 300 with two threads. Thread-safe.
 */
final class DurationHistogram implements Metrics.Timer {
  private static final double NANOS_IN_SECOND = 1e9;

  /** The upper bounds of the buckets in nanoseconds; a last bucket has none. */
  static final long[] BOUNDS =
      DoubleStream.of(
              0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500,
              5_000, 10_000)
          .mapToLong(millis -> Math.round(millis * 1_000_000))
          .toArray();

  private static final double[] BOUNDS_IN_SECONDS =
      DoubleStream.concat(
              LongStream.of(BOUNDS).mapToDouble(nanos -> nanos / NANOS_IN_SECOND),
              DoubleStream.of(Double.POSITIVE_INFINITY))
          .toArray();

  private final LongAdder[] buckets =
      Stream.generate(LongAdder::new).limit(BOUNDS.length + 1).toArray(LongAdder[]::new);
  private final LongAdder sum = new LongAdder();
  private final Labels labels;

  DurationHistogram(Labels labels) {
    this.labels = labels;
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

  long[] counts() {
    return Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray();
  }

  HistogramDataPointSnapshot snapshot() {
    long[] counts = counts();
    return HistogramDataPointSnapshot.builder()
        .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS_IN_SECONDS, counts))
        .sum(sum.sum() / NANOS_IN_SECOND)
        .labels(labels)
        .build();
  }
}
