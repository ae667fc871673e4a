package gambit.app.load;

import java.util.Arrays;

/** A sample of latencies in nanoseconds. One thread at a time. */
final class Latencies {
  private long[] values = new long[1024];
  private int size;

  void add(long nanos) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = nanos;
  }

  int size() {
    return size;
  }

  /** The quantile of this share, in milliseconds. */
  double at(double share) {
    if (size == 0) {
      return Double.NaN;
    }
    long[] sorted = Arrays.copyOf(values, size);
    Arrays.sort(sorted);
    return sorted[(int) Math.min(size - 1, Math.round(share * size))] / 1e6;
  }
}
