package gambit.core.replication;

import gambit.core.metrics.Metrics;
import java.util.function.DoubleSupplier;

/** Metrics that nobody reads. */
final class NoMetrics implements Metrics {
  static final NoMetrics INSTANCE = new NoMetrics();

  @Override
  public Counter counter(String name, String help, String... labels) {
    return amount -> {};
  }

  @Override
  public Timer timer(String name, String help, String... labels) {
    return nanos -> {};
  }

  @Override
  public void gauge(String name, String help, DoubleSupplier value, String... labels) {}
}
