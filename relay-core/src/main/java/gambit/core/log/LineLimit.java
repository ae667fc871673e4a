package gambit.core.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Admits a number of log lines in a period, and counts the others. Thread-safe. */
public final class LineLimit {
  private final int lines;
  private final long periodNanos;
  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private long periodStart;

  @GuardedBy("this")
  private int admitted;

  @GuardedBy("this")
  private long omitted;

  public LineLimit(int lines, Duration period, LongSupplier nanoTime) {
    this.lines = lines;
    this.periodNanos = period.toNanos();
    this.nanoTime = nanoTime;
    this.periodStart = nanoTime.getAsLong();
  }

  /** Whether one more line may be written; if not, it counts as omitted. */
  public synchronized boolean admit() {
    startPeriodIfDue();
    if (admitted == lines) {
      omitted++;
      return false;
    }
    admitted++;
    return true;
  }

  /** The lines omitted since the last call, of periods that are over; in the last call, all. */
  public synchronized long takeOmitted(boolean isLast) {
    startPeriodIfDue();
    long taken = isLast || admitted == 0 ? omitted : 0;
    omitted -= taken;
    return taken;
  }

  @GuardedBy("this")
  private void startPeriodIfDue() {
    long now = nanoTime.getAsLong();
    if (now - periodStart >= periodNanos) {
      periodStart = now;
      admitted = 0;
    }
  }
}
