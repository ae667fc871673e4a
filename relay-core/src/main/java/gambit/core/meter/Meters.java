package gambit.core.meter;

import java.util.function.DoubleSupplier;

/**
 * The narrow port through which the relay and its features are measured; the program adapts it to a
 * metrics library. Names are in snake case without prefix or unit suffix; labels are pairs of name
 * and value, and their values come from small fixed sets. Thread-safe.
 */
public interface Meters {
  /** The counter of that name and labels; asked for again, it counts on. Keep it on hot paths. */
  Counter counter(String name, String help, String... labels);

  /** Registers a value that is read, from any thread, whenever somebody looks. */
  void gauge(String name, String help, DoubleSupplier value);

  /** A number that only grows. */
  interface Counter {
    void increment();
  }
}
