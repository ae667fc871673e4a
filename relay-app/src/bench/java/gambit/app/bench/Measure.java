package gambit.app.bench;

import java.util.Locale;

/** What is measured. The names are those of the CSV file. */
enum Measure {
  /** Operations a second. */
  PER_S,
  /** CPU of the relay an operation, in microseconds. */
  CPU_US,
  /** The part of it spent in the kernel. */
  KERNEL_US,
  /** Latency in milliseconds, at the median. */
  P50_MS,
  P90_MS,
  P99_MS,
  P999_MS,
  MAX_MS,
  /** The mean number of events of an answer. */
  FOUND,
  /** The number of answers that the oracle refutes. */
  WRONG,
  /** Memory of the relay, or its growth an operation. */
  BYTES;

  /** The measure with this name; fails with an {@link IllegalArgumentException} for another one. */
  static Measure of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** Its name in files and tables. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
