package gambit.app.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import gambit.core.log.LimitedLog;
import gambit.core.log.LineLimit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/**
 * A filter of the lines that libraries log, since a client can cause some of them: of each logger,
 * {@link LimitedLog#LINES_IN_PERIOD} lines in a {@link LimitedLog#PERIOD} are written, and further
 * lines are counted. Lines of the program and lines below INFO, a level that an operator sets to
 * find a fault, are not limited. Any thread.
 */
public final class LibraryLogFilter extends Filter<ILoggingEvent> {
  private static final String OWN_LOGGERS = "gambit.";

  /** By the name of the logger. A library has at most one logger for each of its classes. */
  private static final Map<String, LineLimit> LIMITS = new ConcurrentHashMap<>();

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String logger = event.getLoggerName();
    if (logger.startsWith(OWN_LOGGERS) || !event.getLevel().isGreaterOrEqual(Level.INFO)) {
      return FilterReply.NEUTRAL;
    }
    LineLimit limit =
        LIMITS.computeIfAbsent(
            logger,
            name -> new LineLimit(LimitedLog.LINES_IN_PERIOD, LimitedLog.PERIOD, System::nanoTime));
    return limit.admit() ? FilterReply.NEUTRAL : FilterReply.DENY;
  }

  static void reportOmissions(boolean isLast) {
    LIMITS.forEach(
        (logger, limit) -> {
          long omitted = limit.takeOmitted(isLast);
          if (omitted > 0) {
            LoggerFactory.getLogger(LibraryLogFilter.class)
                .warn("Left out {} lines of the library class {}", omitted, logger);
          }
        });
  }
}
