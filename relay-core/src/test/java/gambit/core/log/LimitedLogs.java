package gambit.core.log;

/** The limits of all logs of this process, which tests share. */
public final class LimitedLogs {
  private LimitedLogs() {}

  /** Lines that were logged before do not count any more. */
  public static void beginAnew() {
    LimitedLog.ALL.forEach(log -> log.limits.clear());
  }
}
