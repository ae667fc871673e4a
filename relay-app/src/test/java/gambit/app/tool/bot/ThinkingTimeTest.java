package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.bot.BotGame.ThinkingTime;
import gambit.chess.engine.Level;
import gambit.chess.game.TimeControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThinkingTimeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final TimeControl MINUTE = control("60");

  private static TimeControl control(String text) {
    return TimeControl.parse(text).orElseThrow();
  }

  @ParameterizedTest(name = "{0}: {1} ms left at move {2}, {3} games for a thread: {4} ms")
  @CsvSource({
    "-, -1, 20, 1, 1000",
    "1/600, 600000, 20, 1, 1000",
    "1/600, 600000, 20, 10, 100",
    "300, 300000, 1, 1, 250",
    "300, 300000, 20, 1, 1000",
    "300, 9000, 20, 1, 270",
    "300, 9000, 20, 3, 100",
    "300, 300, 20, 1, 10",
    "300, 0, 20, 1, 10",
    "300+3, 2000, 20, 1, 470",
    "1/2, 1200, 20, 1, 270",
  })
  void theTimeIsDividedAmongMovesAndGames(
      String control, long left, int move, int sharing, long expected) {
    assertThat(ThinkingTime.of(control(control), left, 0, move, SECOND, sharing).think())
        .isEqualTo(Duration.ofMillis(expected));
  }

  @Test
  void theMoveIsSentBeforeHalfOfTheTimeLeftHasPassed() {
    for (long left = 40; left < 60_000; left += 7) {
      ThinkingTime time = ThinkingTime.of(MINUTE, left, 0, 30, SECOND, 1);
      assertThat(time.patience()).isLessThanOrEqualTo(Duration.ofMillis(left / 2));
      assertThat(time.think()).isLessThanOrEqualTo(time.patience());
    }
  }

  @Test
  void waitingAndThinkingAndTheCommitStayWithinTheShareOfTheClock() {
    for (long left = 2_000; left < 60_000; left += 13) {
      long share = ThinkingTime.share(MINUTE, left);
      for (long waited = 0; waited < share - ThinkingTime.COMMIT_MILLIS - 10; waited += 11) {
        ThinkingTime time = ThinkingTime.of(MINUTE, left - waited, waited, 30, SECOND, 1);
        assertThat(waited + time.think().toMillis() + ThinkingTime.COMMIT_MILLIS)
            .isLessThanOrEqualTo(share);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"ONE, 400, 800", "TWO, 500, 1000", "THREE, 600, 1200", "FOUR, 700, 1500"})
  void aWeakLevelAnswersAsLateAsAPersonUnlessItsClockIsShort(Level level, long least, long most) {
    for (String time : List.of("-", "1/600", "300", "180+2")) {
      long left = time.equals("-") ? -1 : 100_000;
      assertThat(ThinkingTime.reply(level, control(time), left, SECOND, 0))
          .isEqualTo(Duration.ofMillis(least));
      assertThat(ThinkingTime.reply(level, control(time), left, SECOND, 1))
          .isEqualTo(Duration.ofMillis(most));
    }
    assertThat(ThinkingTime.reply(level, MINUTE, 6_000, SECOND, 1))
        .isEqualTo(Duration.ofMillis(100));
    assertThat(ThinkingTime.reply(level, MINUTE, 900, SECOND, 1)).isEqualTo(Duration.ofMillis(15));
    assertThat(ThinkingTime.reply(level, MINUTE, 60_000, Duration.ofMillis(20), 1))
        .isLessThanOrEqualTo(Duration.ofMillis(30));
  }

  /** A game of the simulation, whose opponent always answers at once. */
  private static final class Turn {
    private final TimeControl control;
    private long left;
    private long since;
    private int move = 6;

    private Turn(String control) {
      this.control = control(control);
      left = this.control.isUntimed() ? -1 : this.control.baseMillis();
    }

    private long share() {
      return left < 0 ? Long.MAX_VALUE : ThinkingTime.share(control, left);
    }

    private long due() {
      return since + (left < 0 ? SECOND.toMillis() : share() / 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 49})
  void oneThreadWithManyGamesKeepsTheShareOfEachClock(int others) {
    List<Turn> waiting = new ArrayList<>();
    Turn minute = new Turn("60");
    waiting.add(minute);
    waiting.add(new Turn("60+1"));
    for (int i = 1; i < others; i++) {
      waiting.add(new Turn(i % 3 == 0 ? "-" : "600"));
    }
    long now = 0;
    while (minute.move < 120) {
      waiting.sort(Comparator.comparingLong(Turn::due));
      Turn next = waiting.remove(0);
      long waited = now - next.since;
      long left = next.left < 0 ? -1 : next.left - waited;
      int sharing = 1 + waiting.size();
      long think =
          ThinkingTime.of(next.control, left, waited, next.move++, SECOND, sharing)
              .think()
              .toMillis();
      long late = waiting.stream().mapToLong(Turn::due).min().orElse(Long.MAX_VALUE);
      long used = Math.min(think, Math.max(10, late - now));
      assertThat(next.left < 0 ? 1 : left - used).isPositive();
      assertThat(waited + used + ThinkingTime.COMMIT_MILLIS)
          .as("move %d of %s, %d ms left", next.move, next.control.text(), next.left)
          .isLessThanOrEqualTo(Math.max(100, next.share()));
      now += used;
      if (next.left >= 0) {
        next.left += next.control.incrementMillis() - waited - used - ThinkingTime.COMMIT_MILLIS;
      }
      next.since = now;
      waiting.add(next);
    }
  }
}
