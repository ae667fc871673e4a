package gambit.app.tool.bot;

import gambit.app.common.SafeText;
import gambit.core.log.LineLimit;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reports refusals and notices of the relay to an observer, {@link #MAX_IN_PERIOD} in a {@link
 * #PERIOD} at most: other players can cause any number of them. Texts are shortened, and control
 * characters replaced. Thread-safe.
 */
final class LimitedRefusals {
  static final int MAX_IN_PERIOD = 10;
  static final Duration PERIOD = Duration.ofMinutes(1);
  static final int MAX_CHARS = 200;

  private final Bot.Observer observer;
  private final LineLimit limit;

  LimitedRefusals(Bot.Observer observer, LongSupplier nanoTime) {
    this.observer = observer;
    this.limit = new LineLimit(MAX_IN_PERIOD, PERIOD, nanoTime);
  }

  void refused(String what, String reason) {
    report(reason, text -> observer.refused(what, text));
  }

  /** The relay has sent a NOTICE, or has refused the login. */
  void noticed(String notice) {
    report(notice, observer::noticed);
  }

  private synchronized void report(String text, Consumer<String> report) {
    long dropped = limit.takeOmitted(false);
    if (limit.admit()) {
      String clean = SafeText.of(text.substring(0, Math.min(MAX_CHARS, text.length())));
      report.accept(dropped == 0 ? clean : clean + " (" + dropped + " more were not reported)");
    }
  }
}
