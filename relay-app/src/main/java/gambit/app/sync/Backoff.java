package gambit.app.sync;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The time between a failure and the next attempt: a random one of at least half the longest, which
 * is a second at first and doubles with each failure in a row up to {@link #MAX}. Attempts that
 * succeed for less than {@link #STABLE} are failures too. Confined to one thread.
 */
final class Backoff {
  static final Duration MAX = Duration.ofMinutes(10);

  /** The time of success after which earlier failures do not count. */
  static final Duration STABLE = Duration.ofMinutes(1);

  private int failures;

  /**
   * The time until the next attempt.
   *
   * @param success the time between the success of the last attempt, if any, and its failure
   */
  Duration next(Duration success) {
    if (success.compareTo(STABLE) >= 0) {
      failures = 0;
    }
    long longest = Math.min(MAX.toMillis(), 1000L << Math.min(failures, 20));
    failures++;
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
  }
}
