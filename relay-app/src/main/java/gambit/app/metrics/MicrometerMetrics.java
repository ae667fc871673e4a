package gambit.app.metrics;

import gambit.core.metrics.Metrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.DoubleSupplier;

/** Implements the relay's metrics on Micrometer, with the prefix {@code gambit_}. Thread-safe. */
public final class MicrometerMetrics implements Metrics {
  private final MeterRegistry registry;

  public MicrometerMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Counter counter(String name, String help, String... labels) {
    return io.micrometer.core.instrument.Counter.builder("gambit_" + name)
            .description(help)
            .tags(labels)
            .register(registry)
        ::increment;
  }

  @Override
  public void gauge(String name, String help, DoubleSupplier value) {
    Gauge.builder("gambit_" + name, value::getAsDouble)
        .description(help)
        .strongReference(true)
        .register(registry);
  }
}
