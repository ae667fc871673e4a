package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.TimeControl;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThinkingTimeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @ParameterizedTest(name = "{0}: {1} ms left at move {2}, {3} games for a thread: {4} ms")
  @CsvSource({
    "-, -1, 20, 1, 1000",
    "1/600, 600000, 20, 1, 1000",
    "1/600, 600000, 20, 10, 100",
    "300, 300000, 1, 1, 250",
    "300, 300000, 20, 1, 1000",
    "300, 9000, 20, 1, 300",
    "300, 300, 20, 1, 10",
    "300, 0, 20, 1, 10",
    "300+3, 2000, 20, 1, 500",
    "1/2, 1200, 20, 1, 300",
  })
  void theTimeIsDividedAmongMovesAndGames(
      String control, long left, int move, int sharing, long expected) {
    TimeControl time = TimeControl.parse(control).orElseThrow();
    assertThat(ThinkingTime.of(time, left, move, SECOND, sharing).think())
        .isEqualTo(Duration.ofMillis(expected));
  }

  @Test
  void theMoveIsSentBeforeHalfOfTheTimeLeftHasPassed() {
    TimeControl control = TimeControl.parse("60").orElseThrow();
    for (long left = 40; left < 60_000; left += 7) {
      ThinkingTime time = ThinkingTime.of(control, left, 30, SECOND, 1);
      assertThat(time.patience()).isLessThanOrEqualTo(Duration.ofMillis(left / 2));
      assertThat(time.think()).isLessThanOrEqualTo(time.patience());
    }
  }
}
