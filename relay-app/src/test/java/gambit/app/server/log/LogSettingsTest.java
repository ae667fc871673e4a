package gambit.app.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.log.LogSettings.LogFormat;
import gambit.app.server.log.LogSettings.LogLevel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogSettingsTest {
  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void start() {
    context.setMDCAdapter(new LogbackMDCAdapter());
    LogEncoder encoder = new LogEncoder();
    encoder.start();
    LibraryLogFilter limit = new LibraryLogFilter();
    limit.start();
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setContext(context);
    appender.setEncoder(encoder);
    appender.setOutputStream(out);
    appender.addFilter(limit);
    appender.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
  }

  private Stream<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines();
  }

  private void apply(LogLevel level, LogFormat format) {
    apply(level, format, Map.of());
  }

  private void apply(LogLevel level, LogFormat format, Map<String, LogLevel> levels) {
    new LogSettings(level, levels, format, Duration.ZERO).apply(context);
  }

  @Test
  void aLevelOfALoggerOverridesTheCommonOneUntilItIsTakenBack() {
    Logger net = context.getLogger("gambit.core.net.HttpHandler");
    apply(LogLevel.WARN, LogFormat.TEXT, Map.of("gambit.core.net", LogLevel.DEBUG));
    assertThat(net.getEffectiveLevel()).isEqualTo(Level.DEBUG);
    assertThat(context.getLogger("gambit.core.ingest").getEffectiveLevel()).isEqualTo(Level.WARN);
    apply(LogLevel.INFO, LogFormat.TEXT);
    assertThat(net.getEffectiveLevel()).isEqualTo(Level.INFO);
  }

  @Test
  void beforeSettingsAreReadLinesFromInfoOnGoToStandardErrorAsText() {
    LoggerContext first = new LoggerContext();
    LogConfigurator.logToStandardError(first);
    Logger root = first.getLogger(Logger.ROOT_LOGGER_NAME);
    assertThat(root.getLevel()).isEqualTo(Level.INFO);
    assertThat(first.getLogger("io.netty.channel").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(root.getAppender("STDERR"))
        .isInstanceOfSatisfying(
            ConsoleAppender.class,
            appender -> {
              assertThat(appender.isStarted()).isTrue();
              assertThat(appender.getTarget()).isEqualTo("System.err");
              assertThat(appender.getEncoder()).isInstanceOf(LogEncoder.class);
            });
    assertThat(root.getAppender("STDERR").getCopyOfAttachedFiltersList())
        .singleElement()
        .isInstanceOf(LibraryLogFilter.class);
  }

  @Test
  void nettyIsQuietUnlessItsLevelIsSet() {
    apply(LogLevel.DEBUG, LogFormat.TEXT);
    assertThat(context.getLogger("io.netty.channel").getEffectiveLevel()).isEqualTo(Level.WARN);
    apply(LogLevel.INFO, LogFormat.TEXT, Map.of("io.netty", LogLevel.DEBUG));
    assertThat(context.getLogger("io.netty.channel").getEffectiveLevel()).isEqualTo(Level.DEBUG);
  }

  @Test
  void theFormatChangesFromOneLineToTheNext() {
    Logger log = context.getLogger("gambit.Test");
    apply(LogLevel.INFO, LogFormat.TEXT);
    log.info("one");
    apply(LogLevel.INFO, LogFormat.JSON);
    log.info("two");
    assertThat(lines().map(line -> line.substring(0, 1))).containsExactly("2", "{");
  }

  @Test
  void aLibraryWritesTenLinesOfEachClassAMinuteAndTheProgramAsManyAsItWants() {
    apply(LogLevel.DEBUG, LogFormat.TEXT, Map.of("some.library", LogLevel.DEBUG));
    for (int i = 0; i < 100; i++) {
      context.getLogger("some.library.Noisy").warn("noise {}", i);
      context.getLogger("gambit.core.Writer").warn("own line {}", i);
      context.getLogger("some.library.Traced").debug("detail {}", i);
    }
    assertThat(lines().filter(line -> line.contains("noise"))).hasSize(10);
    assertThat(lines().filter(line -> line.contains("own line"))).hasSize(100);
    assertThat(lines().filter(line -> line.contains("detail"))).hasSize(100);
  }

  @Test
  void theSectionIsReadWithLevelsOfSingleLoggers() throws SettingsProblem {
    LogSettings read =
        read(
            Map.of(
                "log.level", "warn",
                "log.levels.gambit.core.net", "debug",
                "log.format", "json",
                "log.slow_query", "250ms"));
    assertThat(read)
        .isEqualTo(
            new LogSettings(
                LogLevel.WARN,
                Map.of("gambit.core.net", LogLevel.DEBUG),
                LogFormat.JSON,
                Duration.ofMillis(250)));
    assertThat(read(Map.of()))
        .isEqualTo(new LogSettings(LogLevel.INFO, Map.of(), LogFormat.TEXT, Duration.ofSeconds(1)));
  }

  @Test
  void aValueThatTheSectionCannotHaveIsRefusedWithItsKey() {
    for (String wrong :
        List.of(
            "log.level=loud",
            "log.levels.gambit.core.net=2",
            "log.format=xml",
            "log.slow_query=-1s",
            "log.slow_query=5")) {
      String key = wrong.substring(0, wrong.indexOf('='));
      assertThatThrownBy(() -> read(Map.of(key, wrong.substring(key.length() + 1))))
          .isInstanceOf(SettingsProblem.class)
          .hasMessageContaining(key)
          .hasMessageContaining("expected");
    }
  }

  private static LogSettings read(Map<String, String> set) throws SettingsProblem {
    return LogSettings.read(
        ConfigSources.defaults().withOverrides(set).load().reader().section("log"));
  }
}
