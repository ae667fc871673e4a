package gambit.app.tool.sync;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When the next event may be sent: a rate, and pauses after a relay has answered that events come
 * too fast. Confined to one thread.
 */
final class Pace {
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);
  private static final long NANOS = 1_000_000_000;

  private final long nanosOfAnEvent;
  private final LongSupplier nanoTime;
  private long nextNanos;
  private int pauses;

  /**
   * Creates a pace.
   *
   * @param eventsPerSecond 0 for no limit
   */
  Pace(int eventsPerSecond, LongSupplier nanoTime) {
    this.nanosOfAnEvent = eventsPerSecond == 0 ? 0 : NANOS / eventsPerSecond;
    this.nanoTime = nanoTime;
    this.nextNanos = nanoTime.getAsLong();
  }

  /** The time until the next event may be sent; zero if it may be sent now. */
  Duration delay() {
    return Duration.ofNanos(Math.max(0, nextNanos - nanoTime.getAsLong()));
  }

  /** An event is sent. At most a tenth of a second's events that were not sent are made up for. */
  void sent() {
    nextNanos = Math.max(nextNanos, nanoTime.getAsLong() - NANOS / 10) + nanosOfAnEvent;
  }

  void accepted() {
    pauses = 0;
  }

  /** Events come too fast: a pause, which doubles with each time in a row; their number. */
  int pause() {
    long pause = Math.min(MAX_PAUSE.toNanos(), NANOS << Math.min(pauses, 10));
    if (delay().compareTo(Duration.ofMillis(500)) < 0) { // answers to events sent before count once
      nextNanos = nanoTime.getAsLong() + pause;
      pauses++;
    }
    return pauses;
  }
}
