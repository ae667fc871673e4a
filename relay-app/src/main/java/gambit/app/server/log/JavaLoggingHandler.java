package gambit.app.server.log;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.slf4j.LoggerFactory;

/**
 * Passes what Java and some libraries log through {@code java.util.logging} on to the program's
 * log, which they would otherwise bypass. Warnings and errors only. Any thread.
 */
final class JavaLoggingHandler extends Handler {
  private JavaLoggingHandler() {
    setLevel(Level.WARNING);
  }

  /** Replaces the handlers of the root logger, which print to standard error. */
  static void install() {
    java.util.logging.Logger root = LogManager.getLogManager().getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    root.addHandler(new JavaLoggingHandler());
  }

  @Override
  public void publish(LogRecord line) {
    if (isLoggable(line)) {
      String name = line.getLoggerName() == null ? "java" : line.getLoggerName();
      LoggerFactory.getLogger(name)
          .atLevel(
              line.getLevel().intValue() >= Level.SEVERE.intValue()
                  ? org.slf4j.event.Level.ERROR
                  : org.slf4j.event.Level.WARN)
          .setCause(line.getThrown())
          .log("{}", String.valueOf(line.getMessage()));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
