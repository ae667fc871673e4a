package gambit.core.metrics;

import java.util.function.DoubleSupplier;

/**
 * The interface through which the relay and its features publish metrics; the program implements it
 * with a metrics library. Names are in snake case without the prefix of the program. Labels are
 * pairs of name and value; their values come from small fixed sets. Thread-safe.
 */
public interface Metrics {
  /**
   * The counter with that name and these labels; further calls return the same counter. Hot paths
   * keep a reference to it.
   */
  Counter counter(String name, String help, String... labels);

  /** Registers a value that any thread may read when metrics are collected. */
  void gauge(String name, String help, DoubleSupplier value);

  /** A number that only increases. */
  interface Counter {
    void increment();
  }
}
