package gambit.app.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The last warnings of the log. */
class RecentWarningsTest {
  private static List<RecentWarnings.Line> ofTest(RecentWarnings warnings, Instant now) {
    return warnings.newest(RecentWarnings.MAX_LINES, now).stream()
        .filter(it -> it.logger().startsWith("Recent"))
        .toList();
  }

  @Test
  void aFloodOfOneLoggerLeavesTheLinesOfOthersForADay() {
    try (RecentWarnings warnings = RecentWarnings.collect()) {
      LoggerFactory.getLogger("a.RecentOne").warn("{}", "x".repeat(2_000));
      LoggerFactory.getLogger("a.RecentOne").info("not a warning");
      for (int i = 0; i < 1_000; i++) {
        LoggerFactory.getLogger("a.RecentFlood").error("line " + i, new IllegalStateException("!"));
      }
      List<RecentWarnings.Line> lines = ofTest(warnings, Instant.now());
      assertThat(lines).hasSize(RecentWarnings.MAX_LINES_OF_LOGGER + 1);
      assertThat(lines.get(0).message()).isEqualTo("line 999 (java.lang.IllegalStateException: !)");
      assertThat(lines.get(0).level()).isEqualTo("ERROR");
      assertThat(lines.get(RecentWarnings.MAX_LINES_OF_LOGGER).message())
          .hasSizeLessThanOrEqualTo(RecentWarnings.MAX_MESSAGE_CHARS + 1)
          .startsWith("xxx");
      assertThat(ofTest(warnings, Instant.now().plus(Duration.ofHours(25)))).isEmpty();
    }
  }
}
