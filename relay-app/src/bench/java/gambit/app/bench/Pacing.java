package gambit.app.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When operations begin, in nanoseconds of one clock. In a closed loop, an operation begins when a
 * client is free for it, and the slower the relay, the fewer there are. In an open loop, operations
 * have a schedule; the time of one that begins late, because the relay has not answered earlier
 * ones, counts from its scheduled time, so that a stall is in all latencies that it caused. One
 * thread begins operations; any may ask.
 */
final class Pacing {
  private final long start;
  private final double nanosApart;
  private final long end;
  private final long most;
  private final AtomicLong begun = new AtomicLong();

  private Pacing(long start, long end, double nanosApart, long most) {
    this.start = start;
    this.end = end;
    this.nanosApart = nanosApart;
    this.most = most;
  }

  /** A closed loop for this time. */
  static Pacing closed(long start, long nanos) {
    return new Pacing(start, start + nanos, 0, Long.MAX_VALUE);
  }

  /** An open loop for this time. */
  static Pacing open(long start, long nanos, double perSecond) {
    double nanosApart = TimeUnit.SECONDS.toNanos(1) / perSecond;
    return new Pacing(start, start + nanos, nanosApart, Long.MAX_VALUE);
  }

  /** The same from its beginning, ending also after this number of operations. */
  Pacing upTo(long operations) {
    return new Pacing(start, end, nanosApart, operations);
  }

  boolean isOpen() {
    return nanosApart > 0;
  }

  /** Whether an operation may begin now. */
  boolean isDue(long now) {
    return !isOver(now) && (!isOpen() || next() - now <= 0);
  }

  /** Begins an operation that is due; returns the time from which its latency counts. */
  long begin(long now) {
    long time = isOpen() ? next() : now;
    begun.incrementAndGet();
    return time;
  }

  /**
   * Whether no further operation begins. An open loop ends with its schedule, however late; a
   * closed one begins one operation at least.
   */
  boolean isOver(long now) {
    return begun.get() >= most
        || (isOpen() ? next() - end >= 0 : begun.get() > 0 && now - end >= 0);
  }

  /** The scheduled time of the next operation. */
  long next() {
    return start + (long) (begun.get() * nanosApart);
  }
}
