package gambit.core.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Captures the messages that are logged as errors. */
public final class ErrorLog implements AutoCloseable {
  private static final Logger ROOT =
      (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  private ErrorLog() {
    log.start();
    ROOT.addAppender(log);
  }

  /** Captures the errors of all threads from now on. */
  public static ErrorLog capture() {
    return new ErrorLog();
  }

  public List<String> messages() {
    synchronized (log) { // as appending is
      return log.list.stream()
          .filter(it -> it.getLevel().isGreaterOrEqual(Level.ERROR))
          .map(ILoggingEvent::getFormattedMessage)
          .toList();
    }
  }

  @Override
  public void close() {
    ROOT.detachAppender(log);
    log.stop();
  }
}
