package gambit.core.metrics;

import java.util.function.DoubleSupplier;

/**
 * The interface through which the relay and its features publish metrics; the program implements it
 * with a metrics library. Names are in snake case without the prefix of the program and, for
 * counters, without {@code _total}; other names end with the unit, such as {@code _seconds} or
 * {@code _bytes}. Labels are pairs of name and value; their values come from small fixed sets.
 * Thread-safe.
 */
public interface Metrics {

  Metrics NONE =
      new Metrics() {
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
      };

  /** The counter, the same for the same name and labels. Hot paths keep a reference to it. */
  Counter counter(String name, String help, String... labels);

  /** A histogram, whose name ends with {@code _seconds}; otherwise as {@link #counter}. */
  Timer timer(String name, String help, String... labels);

  /** Registers a value that any thread may read when metrics are collected. */
  void gauge(String name, String help, DoubleSupplier value, String... labels);

  interface Counter {
    void add(long amount);

    default void increment() {
      add(1);
    }
  }

  /** A histogram of durations with fixed buckets. */
  interface Timer {
    /** Records a duration in nanoseconds; a negative one, of a clock that was set, counts as 0. */
    void record(long nanos);

    /** Records the time since a value of {@link System#nanoTime}. */
    default void recordSince(long startNanos) {
      record(System.nanoTime() - startNanos);
    }
  }
}
