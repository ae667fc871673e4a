package gambit.app.tool.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10));

  private void fail(int times, Duration success) {
    for (int i = 0; i < times; i++) {
      backoff.next(success);
    }
  }

  @Test
  void theDelayDoublesUpToTenMinutes() {
    for (int longest = 1; longest < 600; longest *= 2) {
      assertThat(backoff.next(Duration.ZERO))
          .isBetween(Duration.ofMillis(longest * 500L), Duration.ofSeconds(longest));
    }
    fail(100, Duration.ZERO);
    assertThat(backoff.next(Duration.ZERO))
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
  }

  @Test
  void aSuccessOfAMomentDoesNotShortenTheDelay() {
    fail(5, Duration.ofSeconds(59));
    assertThat(backoff.next(Duration.ofSeconds(59))).isGreaterThanOrEqualTo(Duration.ofSeconds(16));
  }

  @Test
  void aSuccessOfAMinuteShortensTheDelay() {
    fail(5, Duration.ZERO);
    assertThat(backoff.next(Duration.ofMinutes(1))).isLessThanOrEqualTo(Duration.ofSeconds(1));
  }
}
