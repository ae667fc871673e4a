package gambit.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/** Asserts that no unexpected warnings or errors are logged. */
public final class UnexpectedLogEvents implements AutoCloseable {
  private static final Logger ROOT =
      (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Predicate<ILoggingEvent> bad;

  private UnexpectedLogEvents(Predicate<ILoggingEvent> bad) {
    this.bad = bad;
    log.start();
    ROOT.addAppender(log);
  }

  /** Expects no warnings and errors of this thread. */
  public static UnexpectedLogEvents ofThisThread() {
    String here = Thread.currentThread().getName();
    return new UnexpectedLogEvents(
        it -> it.getLevel().isGreaterOrEqual(Level.WARN) && it.getThreadName().equals(here));
  }

  /** Expects no errors of any thread. */
  public static UnexpectedLogEvents ofAll() {
    return new UnexpectedLogEvents(it -> it.getLevel().isGreaterOrEqual(Level.ERROR));
  }

  /** Asserts that there was none so far. */
  public void requireNone() {
    synchronized (log) { // as appending is
      assertThat(log.list).noneMatch(bad);
    }
  }

  /** Stops listening and asserts that there was none. */
  @Override
  public void close() {
    ROOT.detachAppender(log);
    log.stop();
    requireNone();
  }
}
