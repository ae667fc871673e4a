package gambit.app.bench;

import java.util.concurrent.TimeUnit;

/** How much a run measures: it ends after a time or a number of operations, whichever is first. */
record Amount(double seconds, int operations) {
  private static final double SPARE = 1.1;

  static Amount ofSeconds(double seconds) {
    return new Amount(seconds, Integer.MAX_VALUE);
  }

  static Amount ofOperations(int operations) {
    return new Amount(Integer.MAX_VALUE, operations);
  }

  /** The number of events to prepare at an expected rate. */
  int events(double perSecond) {
    return (int) Math.min(operations, perSecond * seconds * SPARE);
  }

  /** A closed loop, or an open one if there is a rate. */
  Pacing pacing(double perSecond) {
    long nanos = (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    long now = System.nanoTime();
    return (perSecond == 0 ? Pacing.closed(now, nanos) : Pacing.open(now, nanos, perSecond))
        .upTo(operations);
  }
}
