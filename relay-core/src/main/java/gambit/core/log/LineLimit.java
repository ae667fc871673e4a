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

  /**
   * Creates a limit.
   *
   * @param lines the most lines in a period
   * @param nanoTime the time in nanoseconds from any origin, as of {@link System#nanoTime}
   */
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

  /** The lines omitted since the last call, once their period is over; 0 before. */
  public synchronized long takeOmitted() {
    startPeriodIfDue();
    return admitted == 0 ? takeAll() : 0;
  }

  /** The lines omitted since they were last taken, also of the current period. */
  public synchronized long takeAllOmitted() {
    return takeAll();
  }

  @GuardedBy("this")
  private long takeAll() {
    long taken = omitted;
    omitted = 0;
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
