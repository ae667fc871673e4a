package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.bot.Bot.LimitedRefusals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LimitedRefusalsTest {
  private final AtomicLong nanoTime = new AtomicLong();
  private final List<String> reports = new ArrayList<>();
  private final LimitedRefusals refusals =
      new LimitedRefusals(
          new Bot.Observer() {
            @Override
            public void refused(String what, String reason) {
              reports.add(what + ": " + reason);
            }

            @Override
            public void noticed(String text) {
              reports.add(text);
            }
          },
          nanoTime::get);

  @Test
  void noMoreThanTheMaximumIsReportedInAPeriodAndTheRestIsCounted() {
    for (int i = 0; i < LimitedRefusals.MAX_IN_PERIOD + 5; i++) {
      refusals.refused("a move", "blocked: no");
    }
    assertThat(reports).hasSize(LimitedRefusals.MAX_IN_PERIOD).containsOnly("a move: blocked: no");
    nanoTime.addAndGet(LimitedRefusals.PERIOD.toNanos());
    refusals.noticed("closing");
    refusals.noticed("closed");
    assertThat(reports)
        .endsWith("closing (5 more were not reported)", "closed")
        .hasSize(LimitedRefusals.MAX_IN_PERIOD + 2);
  }

  @Test
  void textsAreShortAndPrintable() {
    refusals.noticed("\u001b[31m" + "x".repeat(10_000));
    assertThat(reports.get(0)).startsWith("?[31mx").hasSize(LimitedRefusals.MAX_CHARS);
  }
}
