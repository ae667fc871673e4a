package gambit.core.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimerDeadlinesTest {
  private static final Duration FAR = Duration.ofDays(300);
  private final LinkedBlockingQueue<String> rung = new LinkedBlockingQueue<>();
  private final CompletableFuture<Throwable> death = new CompletableFuture<>();

  @Test
  void alarmRunsOnceAndSettingItsKeyAgainReplacesIt() throws InterruptedException {
    try (TimerDeadlines deadlines = new TimerDeadlines(death::complete)) {
      deadlines.set("key", FAR, () -> rung.add("replaced"));
      deadlines.set("key", Duration.ofMillis(1), () -> rung.add("first"));
      assertThat(rung.poll(2, TimeUnit.MINUTES)).isEqualTo("first");
      deadlines.set("key", Duration.ofMillis(1), () -> rung.add("second"));
      assertThat(rung.poll(2, TimeUnit.MINUTES)).isEqualTo("second");
      assertThat(rung).isEmpty();
    }
  }

  @Test
  void cancelledAlarmDoesNotRun() throws InterruptedException {
    CompletableFuture<Void> go = new CompletableFuture<>();
    try (TimerDeadlines deadlines = new TimerDeadlines(death::complete)) {
      deadlines.set("busy", Duration.ZERO, go::join); // nothing else rings meanwhile
      deadlines.set("cancelled", Duration.ofMillis(1), () -> rung.add("cancelled"));
      deadlines.cancel("cancelled");
      deadlines.cancel("never set");
      deadlines.set("other", Duration.ofMillis(2), () -> rung.add("other"));
      go.complete(null);
      assertThat(rung.poll(2, TimeUnit.MINUTES)).isEqualTo("other");
    }
  }

  @Test
  void alarmThatThrowsDoesNotStopOthersAndAnErrorIsReported() {
    Error error = new LinkageError("on purpose");
    try (TimerDeadlines deadlines = new TimerDeadlines(death::complete)) {
      deadlines.set(
          "bug",
          Duration.ZERO,
          () -> {
            throw new IllegalStateException("a bug, on purpose");
          });
      deadlines.set(
          "error",
          Duration.ofMillis(1),
          () -> {
            throw error;
          });
      assertThat(death).succeedsWithin(Duration.ofMinutes(2)).isSameAs(error);
    }
  }
}
