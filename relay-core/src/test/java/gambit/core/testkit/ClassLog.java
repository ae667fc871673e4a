package gambit.core.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import gambit.core.log.LimitedLogs;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Captures what a class logs at a level, and above. */
public final class ClassLog implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Level level;
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (event.getLevel().isGreaterOrEqual(level)) {
            lines.add(event.getFormattedMessage());
          }
        }
      };

  /** Captures warnings and errors. */
  public ClassLog(Class<?> of) {
    this(of, Level.WARN);
  }

  private ClassLog(Class<?> of, Level level) {
    LimitedLogs.beginAnew(); // an earlier test may have logged as many lines as are admitted
    this.logger = (Logger) LoggerFactory.getLogger(of);
    this.level = level;
    if (!logger.isEnabledFor(level)) {
      logger.setLevel(level);
    }
    appender.start();
    logger.addAppender(appender);
  }

  /** Captures ordinary lines, too. */
  public static ClassLog withInfo(Class<?> of) {
    return new ClassLog(of, Level.INFO);
  }

  /** The messages so far, oldest first. */
  public List<String> messages() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    appender.stop();
  }
}
