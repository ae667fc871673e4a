package gambit.app.server.log;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Configures Logback until {@link LogSettings} are in force: lines from INFO on go to standard
 * error. In code, since reading a configuration in XML takes a tenth of a second of each command.
 * Called once, by Logback.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null
        || getClass().getResource("/logback-test.xml") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    logToStandardError(context);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  static void logToStandardError(LoggerContext context) {
    LibraryLogFilter limit = new LibraryLogFilter();
    limit.setContext(context);
    limit.start();
    LogEncoder encoder = new LogEncoder();
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("STDERR");
    appender.setTarget("System.err");
    appender.addFilter(limit);
    appender.setEncoder(encoder);
    appender.start();
    context.getLogger("io.netty").setLevel(Level.WARN);
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(appender);
  }
}
