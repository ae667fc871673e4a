package gambit.core.log;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A logger for lines that a client can cause, at will or by a fault of the program: {@link
 * #LINES_IN_PERIOD} lines of each format in a {@link #PERIOD}. Further ones are counted, and the
 * number is logged in a line of its own, before the next line or by {@link #reportOmissions}.
 *
 * <p>Formats are constants, and so bounded: an argument with a client's text belongs in a
 * placeholder. Any thread.
 */
public final class LimitedLog {
  public static final int LINES_IN_PERIOD = 10;

  public static final Duration PERIOD = Duration.ofMinutes(1);

  static final Set<LimitedLog> ALL = ConcurrentHashMap.newKeySet();

  private final Logger logger;
  private final LongSupplier nanoTime;
  final Map<String, LineLimit> limits = new ConcurrentHashMap<>();

  LimitedLog(Logger logger, LongSupplier nanoTime) {
    this.logger = logger;
    this.nanoTime = nanoTime;
  }

  /** The log of a class, to be kept in a static field. */
  public static LimitedLog of(Class<?> owner) {
    LimitedLog log = new LimitedLog(LoggerFactory.getLogger(owner), System::nanoTime);
    ALL.add(log);
    return log;
  }

  /**
   * Logs how many lines were left out. Called once a minute by the program, so that the number is
   * known although the flood has ended.
   *
   * @param isLast whether the process ends, so that periods that have not ended count as well
   */
  public static void reportOmissions(boolean isLast) {
    ALL.forEach(log -> log.reportOwnOmissions(isLast));
  }

  void reportOwnOmissions(boolean isLast) {
    limits.forEach((format, limit) -> report(format, limit.takeOmitted(isLast)));
  }

  public void error(@CompileTimeConstant String format, @Nullable Object... arguments) {
    log(Level.ERROR, format, arguments);
  }

  /** Logs a warning; the last argument may be an exception. */
  public void warn(@CompileTimeConstant String format, @Nullable Object... arguments) {
    log(Level.WARN, format, arguments);
  }

  public void info(@CompileTimeConstant String format, @Nullable Object... arguments) {
    log(Level.INFO, format, arguments);
  }

  private void log(Level level, String format, @Nullable Object... arguments) {
    if (!logger.isEnabledForLevel(level)) {
      return;
    }
    LineLimit limit =
        limits.computeIfAbsent(format, key -> new LineLimit(LINES_IN_PERIOD, PERIOD, nanoTime));
    report(format, limit.takeOmitted(false));
    if (limit.admit()) {
      logger.atLevel(level).log(format, arguments);
    }
  }

  private void report(String format, long omitted) {
    if (omitted > 0) {
      logger.warn("Left out {} lines like this one: {}", omitted, format);
    }
  }
}
