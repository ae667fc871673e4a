package gambit.chess.game;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A time control, as in PGN's {@code TimeControl} tag (PGN standard 9.6.1).
 *
 * <p>Immutable; any thread. {@code 300} equals {@code 300+0}.
 *
 * @param isPerMove whether the base time is for each move rather than for the whole game
 * @param baseMillis the base time, from one second to 30 days; 0 if untimed
 * @param incrementMillis the time added after each move, from 0 to 30 days; 0 if per move or
 *     untimed
 */
public record TimeControl(boolean isPerMove, long baseMillis, long incrementMillis) {

  /** {@code -}: no limit. */
  public static final TimeControl UNTIMED = new TimeControl(false, 0, 0);

  /** {@code 1/600}: each move within ten minutes. */
  public static final TimeControl TEN_MINUTES_A_MOVE = new TimeControl(true, 600_000, 0);

  private static final Pattern SECONDS = Pattern.compile("0|[1-9][0-9]{0,6}");
  private static final long MILLIS_PER_SECOND = 1000;
  private static final long MILLIS_PER_HOUR = 3600 * MILLIS_PER_SECOND;
  private static final long MAX_MILLIS = 30 * 24 * MILLIS_PER_HOUR;

  public TimeControl {
    boolean untimed = baseMillis == 0;
    if (!isTime(baseMillis)
        || !isTime(incrementMillis)
        || (untimed && isPerMove)
        || ((untimed || isPerMove) && incrementMillis > 0)) {
      throw new IllegalArgumentException(
          "not a time control: " + isPerMove + " " + baseMillis + " " + incrementMillis);
    }
  }

  private static boolean isTime(long millis) {
    return millis >= 0 && millis <= MAX_MILLIS && millis % MILLIS_PER_SECOND == 0;
  }

  /**
   * Reads {@code -}, {@code 300} (sudden death), {@code 300+3} (with an increment) or {@code 1/600}
   * (one move within 600 s), in whole seconds without sign or leading zero; empty for anything
   * else.
   */
  public static Optional<TimeControl> parse(String text) {
    if (text.equals("-")) {
      return Optional.of(UNTIMED);
    }
    boolean perMove = text.startsWith("1/");
    int plus = perMove ? -1 : text.indexOf('+');
    long base = millis(text.substring(perMove ? 2 : 0, plus < 0 ? text.length() : plus));
    long increment = plus < 0 ? 0 : millis(text.substring(plus + 1));
    return base > 0 && increment >= 0
        ? Optional.of(new TimeControl(perMove, base, increment))
        : Optional.empty();
  }

  /** Reads seconds as milliseconds; -1 if the text is malformed or beyond the maximum. */
  private static long millis(String digits) {
    long millis =
        SECONDS.matcher(digits).matches() ? Long.parseLong(digits) * MILLIS_PER_SECOND : -1;
    return millis <= MAX_MILLIS ? millis : -1;
  }

  /** The shortest text that {@link #parse} reads as this time control. */
  public String text() {
    if (isUntimed()) {
      return "-";
    }
    String base = (isPerMove ? "1/" : "") + baseMillis / MILLIS_PER_SECOND;
    return incrementMillis == 0 ? base : base + "+" + incrementMillis / MILLIS_PER_SECOND;
  }

  public boolean isUntimed() {
    return baseMillis == 0;
  }

  /** Whether a side has an hour or more for each move, or gets that as increment. */
  public boolean isCorrespondence() {
    return incrementMillis >= MILLIS_PER_HOUR || (isPerMove && baseMillis >= MILLIS_PER_HOUR);
  }

  /** Whether the game is slow: correspondence, or untimed. */
  public boolean isSlow() {
    return isUntimed() || isCorrespondence();
  }

  /** Whether a single move may take an hour or more. */
  public boolean mayTakeHours() {
    return isSlow() || baseMillis >= MILLIS_PER_HOUR;
  }
}
