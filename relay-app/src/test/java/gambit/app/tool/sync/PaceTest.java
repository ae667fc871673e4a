package gambit.app.tool.sync;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.sync.EventMover.Pace;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
  private long now = 1_000_000_000_000L;

  private void advance(Duration time) {
    now += time.toNanos();
  }

  private int sendAll(Pace pace) {
    int sent = 0;
    for (; sent < 1000 && pace.delay().isZero(); sent++) {
      pace.sent();
    }
    return sent;
  }

  @Test
  void withoutARateEventsAreSentAtOnce() {
    assertThat(sendAll(new Pace(0, () -> now))).isEqualTo(1000);
  }

  @Test
  void noMoreEventsASecondAreSentThanTheRate() {
    Pace pace = new Pace(50, () -> now);
    int sent = 0;
    for (int i = 0; i < 1000; i++) {
      sent += sendAll(pace);
      advance(Duration.ofMillis(10));
    }
    assertThat(sent).isEqualTo(500); // in ten seconds
  }

  @Test
  void afterAPauseATenthOfASecondIsMadeUpFor() {
    Pace pace = new Pace(50, () -> now);
    pace.sent();
    advance(Duration.ofHours(1));
    assertThat(sendAll(pace)).isEqualTo(6);
  }

  @Test
  void pausesDoubleUntilAnEventIsTakenAndAnswersDuringOneCountOnce() {
    Pace pace = new Pace(0, () -> now);
    assertThat(pace.pause()).isEqualTo(1);
    assertThat(pace.pause()).isEqualTo(1);
    assertThat(pace.delay()).isEqualTo(Duration.ofSeconds(1));
    advance(Duration.ofSeconds(1));
    assertThat(pace.pause()).isEqualTo(2);
    assertThat(pace.delay()).isEqualTo(Duration.ofSeconds(2));
    advance(Duration.ofSeconds(2));
    pace.accepted();
    assertThat(pace.pause()).isEqualTo(1);
    assertThat(pace.delay()).isEqualTo(Duration.ofSeconds(1));
  }
}
