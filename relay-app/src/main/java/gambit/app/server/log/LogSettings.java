package gambit.app.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import gambit.app.server.config.SettingsReader;
import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The section {@code log}. Immutable. */
public record LogSettings(
    LogLevel level, Map<String, LogLevel> levels, LogFormat format, Duration slowQuery) {
  /** Netty's own lines are of use to a developer only. */
  private static final Map<String, LogLevel> NETTY = Map.of("io.netty", LogLevel.WARN);

  public LogSettings {
    levels = Map.copyOf(levels);
  }

  public enum LogLevel {
    OFF,
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  public enum LogFormat {
    TEXT,
    JSON
  }

  public static LogSettings read(SettingsReader log) {
    Map<String, LogLevel> levels = new TreeMap<>();
    for (String logger : log.table("levels").keySet()) {
      levels.put(logger, log.choice("levels." + logger, LogLevel.class));
    }
    Duration slowQuery = log.duration("slow_query");
    if (slowQuery.isNegative()) {
      throw log.problem("slow_query", "expected a time such as 500ms, or 0 for no such lines");
    }
    return new LogSettings(
        log.choice("level", LogLevel.class),
        levels,
        log.choice("format", LogFormat.class),
        slowQuery);
  }

  /**
   * Puts levels and format in force, for all lines from now on. Does nothing if the operator has
   * configured Logback with a file. Any thread.
   */
  public void apply() {
    passOnJavaLogging();
    if (System.getProperty("logback.configurationFile") == null
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      apply(context);
    }
  }

  /**
   * Warnings that Java and some libraries log through {@code java.util.logging} pass by otherwise.
   */
  private static void passOnJavaLogging() {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
  }

  void apply(LoggerContext context) {
    synchronized (LogSettings.class) {
      applyLevels(context);
      applyFormat(context);
    }
  }

  private void applyLevels(LoggerContext context) {
    Map<String, LogLevel> wanted = new TreeMap<>(NETTY);
    wanted.putAll(levels);
    for (Logger logger : context.getLoggerList()) {
      if (!logger.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME)
          && !wanted.containsKey(logger.getName())) {
        logger.setLevel(null); // inherits
      }
    }
    wanted.forEach(
        (logger, wish) -> context.getLogger(logger).setLevel(Level.valueOf(wish.name())));
    root(context).setLevel(Level.valueOf(level.name()));
  }

  private static Logger root(LoggerContext context) {
    return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  private void applyFormat(LoggerContext context) {
    for (Iterator<Appender<ILoggingEvent>> it = root(context).iteratorForAppenders();
        it.hasNext(); ) {
      if (it.next() instanceof OutputStreamAppender<ILoggingEvent> appender
          && appender.getEncoder() instanceof LogEncoder encoder) {
        encoder.setFormat(format);
      }
    }
  }

  /** Logs how many lines were left out by limits; called once a minute, and at the end. */
  public static void reportOmissions(boolean isLast) {
    LimitedLog.reportOmissions(isLast);
    LibraryLogFilter.reportOmissions(isLast);
  }
}
