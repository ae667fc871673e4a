package gambit.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.errorprone.annotations.CompileTimeConstant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LimitedLogTest {
  private final ListAppender<ILoggingEvent> written = new ListAppender<>();
  private final Logger logger = new LoggerContext().getLogger("test");
  private long now;
  private final LimitedLog log = new LimitedLog(logger, () -> now);

  @BeforeEach
  void listen() {
    written.start();
    logger.addAppender(written);
  }

  private List<String> lines() {
    return written.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void flood(@CompileTimeConstant String format) {
    for (int i = 0; i < 1_000; i++) {
      log.warn(format, i);
    }
  }

  @Test
  void ofAThousandLinesInAMinuteTenAreWritten() {
    flood("Line {}");
    assertThat(lines()).hasSize(10).first().isEqualTo("Line 0");
  }

  @Test
  void theNumberOfLinesLeftOutIsWrittenBeforeTheNextLine() {
    flood("Line {}");
    pass(LimitedLog.PERIOD);
    log.warn("Line {}", "after");
    assertThat(lines().subList(10, 12))
        .containsExactly("Left out 990 lines like this one: Line {}", "Line after");
  }

  @Test
  void theNumberOfLinesLeftOutIsReportedOnceAlthoughNoLineFollows() {
    flood("Line {}");
    log.reportOwnOmissions(false);
    assertThat(lines()).hasSize(10);
    pass(LimitedLog.PERIOD);
    log.reportOwnOmissions(false);
    log.reportOwnOmissions(false);
    assertThat(lines()).hasSize(11).last().isEqualTo("Left out 990 lines like this one: Line {}");
  }

  @Test
  void atTheEndOfTheProcessTheCurrentPeriodIsReportedToo() {
    flood("Line {}");
    log.reportOwnOmissions(true);
    assertThat(lines()).last().isEqualTo("Left out 990 lines like this one: Line {}");
  }

  @Test
  void aFloodOfOneFormatHidesNoLineOfAnother() {
    flood("Line {}");
    log.error("Another line");
    assertThat(lines()).last().isEqualTo("Another line");
  }

  @Test
  void linesBelowTheLevelAreNeitherWrittenNorCounted() {
    logger.setLevel(Level.ERROR);
    flood("Line {}");
    pass(LimitedLog.PERIOD);
    log.reportOwnOmissions(true);
    assertThat(lines()).isEmpty();
  }

  @Test
  void anExceptionAsTheLastArgumentIsLoggedWithItsStackTrace() {
    log.error("It failed for {}", "somebody", new IllegalStateException("broken"));
    assertThat(lines()).containsExactly("It failed for somebody");
    assertThat(written.list.get(0).getThrowableProxy().getMessage()).isEqualTo("broken");
  }
}
