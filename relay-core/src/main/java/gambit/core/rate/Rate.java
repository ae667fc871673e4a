package gambit.core.rate;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound on how often something may be done: a burst at once, and as many again in each period,
 * refilled evenly. Immutable.
 *
 * @param burst maximum number at once; 0 for unlimited
 * @param period time in which an empty bucket is full again
 */
public record Rate(int burst, Duration period) {
  public static final Rate UNLIMITED = new Rate(0, Duration.ZERO);

  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})/([1-9]\\d{0,5})?(s|m|h)");

  public Rate {
    if (burst < 0 || (burst > 0 && period.toMillis() <= 0)) {
      throw new IllegalArgumentException("a rate is a number in a time");
    }
  }

  /** Reads a rate such as {@code 100/10s}, {@code 60/m} or {@code 0}; fails if it is none. */
  public static Rate parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (text.equals("0")) {
      return UNLIMITED;
    }
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a rate: a number in a time, as in 100/10s, 60/m or 0");
    }
    long units = parts.group(2) == null ? 1 : Long.parseLong(parts.group(2));
    Duration unit =
        switch (parts.group(3)) {
          case "s" -> Duration.ofSeconds(1);
          case "m" -> Duration.ofMinutes(1);
          default -> Duration.ofHours(1);
        };
    return new Rate(Integer.parseInt(parts.group(1)), unit.multipliedBy(units));
  }

  boolean isUnlimited() {
    return burst == 0;
  }

  long nanosPerToken() {
    return Math.max(1, period.toNanos() / burst);
  }
}
