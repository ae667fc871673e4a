package gambit.app.tool.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The time between a failure and the next attempt: a random one of at least half the longest, which
 * doubles with each failure in a row up to a maximum. Confined to one thread.
 */
public final class Backoff {
  private static final Duration STABLE = Duration.ofMinutes(1);

  private final long firstMillis;
  private final long maxMillis;
  private int failures;

  /** The longest times after a first failure, and after any. */
  public Backoff(Duration first, Duration max) {
    firstMillis = first.toMillis();
    maxMillis = max.toMillis();
  }

  public static Backoff ofRefusals() {
    return new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
  }

  public Duration next() {
    long longest = Math.min(maxMillis, firstMillis << Math.min(failures, 20));
    failures++;
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
  }

  /** The time until the next attempt. Those that ended within a minute of success failed, too. */
  public Duration next(Duration success) {
    if (success.compareTo(STABLE) >= 0) {
      reset();
    }
    return next();
  }

  public void reset() {
    failures = 0;
  }
}
