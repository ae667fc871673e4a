package gambit.app.server.plugin;

import java.time.Duration;

/**
 * The time between a failure of the plugin and its next start: none after a first failure, then one
 * second, doubled with each further failure up to {@link #MAX}. A run of {@link #GOOD_RUN} makes
 * the next failure a first one. Confined to one thread.
 */
final class RestartDelay {
  static final Duration MAX = Duration.ofSeconds(30);
  static final Duration GOOD_RUN = Duration.ofMinutes(1);

  private int failures;

  Duration afterFailure(Duration run) {
    if (run.compareTo(GOOD_RUN) >= 0) {
      failures = 0;
    }
    failures++;
    Duration doubled = Duration.ofSeconds(1L << Math.min(30, Math.max(0, failures - 2)));
    return failures == 1 ? Duration.ZERO : doubled.compareTo(MAX) < 0 ? doubled : MAX;
  }

  /** Forgets earlier failures: another program is to be started. */
  void reset() {
    failures = 0;
  }
}
