package gambit.app.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.SafeText;
import gambit.app.server.config.RedactedText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * The last warnings and errors of the log, in memory: at most {@value #MAX_LINES} of {@link
 * #MAX_AGE}, of which one logger has at most {@value #MAX_LINES_OF_LOGGER}, so that a flood leaves
 * the other lines. It is an appender beside the one that writes the log. Thread-safe.
 */
public final class RecentWarnings extends UnsynchronizedAppenderBase<ILoggingEvent>
    implements AutoCloseable {
  public static final int MAX_LINES = 500;
  static final int MAX_LINES_OF_LOGGER = 100;
  static final Duration MAX_AGE = Duration.ofHours(24);
  static final int MAX_MESSAGE_CHARS = 1_000;

  @GuardedBy("this")
  private final Deque<Line> lines = new ArrayDeque<>(); // the oldest first

  /** A line of the log of a class, without its stack trace, at a second of Unix time. */
  public record Line(long at, String level, String logger, String message) {}

  private RecentWarnings() {}

  public static RecentWarnings collect() {
    RecentWarnings warnings = new RecentWarnings();
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      warnings.setContext(context);
      warnings.start();
      context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(warnings);
    }
    return warnings;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (!event.getLevel().isGreaterOrEqual(Level.WARN)) {
      return;
    }
    String logger = event.getLoggerName();
    Line line =
        new Line(
            event.getInstant().getEpochSecond(),
            event.getLevel().toString(),
            logger.substring(logger.lastIndexOf('.') + 1),
            message(event));
    synchronized (this) {
      lines.add(line);
      removeSurplus(line.logger());
    }
  }

  private static String message(ILoggingEvent event) {
    IThrowableProxy exception = event.getThrowableProxy();
    String cause =
        exception == null
            ? ""
            : " (" + exception.getClassName() + ": " + exception.getMessage() + ")";
    String plain = RedactedText.withoutSecretKeys(event.getFormattedMessage() + cause);
    StringBuilder message = new StringBuilder();
    SafeText.escape(message, plain, MAX_MESSAGE_CHARS);
    message.setLength(Math.min(message.length(), MAX_MESSAGE_CHARS)); // escapes are longer
    return message.toString();
  }

  @GuardedBy("this")
  private void removeSurplus(String logger) {
    List<Line> ofLogger = lines.stream().filter(it -> it.logger().equals(logger)).toList();
    if (ofLogger.size() > MAX_LINES_OF_LOGGER) {
      lines.removeFirstOccurrence(ofLogger.get(0));
    }
    if (lines.size() > MAX_LINES) {
      lines.removeFirst();
    }
  }

  public synchronized List<Line> newest(int max, Instant now) {
    long oldest = now.minus(MAX_AGE).getEpochSecond();
    List<Line> newest = new ArrayList<>(lines);
    Collections.reverse(newest);
    return newest.stream().filter(line -> line.at() >= oldest).limit(max).toList();
  }

  @Override
  public void close() {
    if (getContext() instanceof LoggerContext context) {
      context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).detachAppender(this);
      stop();
    }
  }
}
