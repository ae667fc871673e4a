package gambit.app.server.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.time.Duration;
import java.util.stream.LongStream;

/** Makes a histogram of Micrometer's pauses of garbage collection. Immutable. */
final class GarbageCollectionBuckets implements MeterFilter {
  /** The upper bounds of the buckets. A pause of more than a second has no bucket of its own. */
  private static final double[] BOUNDS_NANOS =
      LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
          .mapToDouble(millis -> Duration.ofMillis(millis).toNanos())
          .toArray();

  @Override
  public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
    return id.getName().equals("jvm.gc.pause")
        ? DistributionStatisticConfig.builder()
            .serviceLevelObjectives(BOUNDS_NANOS)
            .build()
            .merge(config)
        : config;
  }
}
