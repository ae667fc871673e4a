package gambit.app.server.metrics;

import java.util.Arrays;

/** How many durations a histogram has in each bucket, those of all labels together. Immutable. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record DurationCounts(long[] buckets) {
  /** The durations since an earlier count of the same histogram. */
  public DurationCounts since(DurationCounts earlier) {
    long[] more = buckets.clone();
    for (int i = 0; i < more.length; i++) {
      more[i] -= earlier.buckets[i];
    }
    return new DurationCounts(more);
  }

  /**
   * A quantile in milliseconds, interpolated within its bucket; the last bound if it is beyond
   * that; not a number if there are no durations.
   */
  public double quantileMillis(double quantile) {
    long all = Arrays.stream(buckets).sum();
    double rank = all * quantile;
    double below = 0;
    for (int i = 0; i < DurationHistogram.BOUNDS.length && all > 0; i++) {
      if (below + buckets[i] >= rank) {
        double from = i == 0 ? 0 : DurationHistogram.BOUNDS[i - 1];
        double part = buckets[i] == 0 ? 1 : (rank - below) / buckets[i];
        return (from + part * (DurationHistogram.BOUNDS[i] - from)) / 1e6;
      }
      below += buckets[i];
    }
    return all == 0
        ? Double.NaN
        : DurationHistogram.BOUNDS[DurationHistogram.BOUNDS.length - 1] / 1e6;
  }
}
