package gambit.chess.game;

import java.util.Optional;

/**
 * How much time the sides have, in the terms of PGN's {@code TimeControl} tag (PGN standard 9.6.1).
 *
 * <p>Immutable; any thread. Equal by meaning: {@code 300} is {@code 300+0}.
 *
 * @param isPerMove whether the base is for each move, else for the whole game
 * @param baseMillis one second to 30 days in milliseconds, or 0 for no limit at all
 * @param incrementMillis what a side gets for each move; 0 to 30 days, and 0 if it is per move or
 *     without limit
 */
public record TimeControl(boolean isPerMove, long baseMillis, long incrementMillis) {

  /** {@code -}: no limit. */
  public static final TimeControl UNTIMED = new TimeControl(false, 0, 0);

  /** {@code 1/600}: each move within ten minutes. */
  public static final TimeControl TEN_MINUTES_A_MOVE = new TimeControl(true, 600_000, 0);

  private static final long SECOND = 1000;
  private static final long HOUR = 3600 * SECOND;
  private static final long LONGEST = 30 * 24 * HOUR;

  /**
   * A time control of whole seconds.
   *
   * @throws IllegalArgumentException when it is none that {@link #parse} can read
   */
  public TimeControl {
    boolean untimed = baseMillis == 0;
    if (!isTime(baseMillis)
        || !isTime(incrementMillis)
        || (untimed && isPerMove)
        || ((untimed || isPerMove) && incrementMillis > 0)) {
      throw new IllegalArgumentException(
          "no time control: " + isPerMove + " " + baseMillis + " " + incrementMillis);
    }
  }

  private static boolean isTime(long millis) {
    return millis >= 0 && millis <= LONGEST && millis % SECOND == 0;
  }

  /**
   * Reads {@code -}, {@code 300} (sudden death), {@code 300+3} (with an increment) or {@code 1/600}
   * (one move within 600 s), in whole seconds without sign or leading zero, and nothing else.
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

  /** So many seconds, or -1 if it is no number of them up to the longest time. */
  private static long millis(String digits) {
    boolean canonical = digits.equals("0") || !digits.startsWith("0");
    if (digits.isEmpty()
        || digits.length() > 7
        || !canonical
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    long millis = Long.parseLong(digits) * SECOND;
    return millis <= LONGEST ? millis : -1;
  }

  /** The shortest text that {@link #parse} reads as this. */
  public String text() {
    if (isUntimed()) {
      return "-";
    }
    String base = (isPerMove ? "1/" : "") + baseMillis / SECOND;
    return incrementMillis == 0 ? base : base + "+" + incrementMillis / SECOND;
  }

  public boolean isUntimed() {
    return baseMillis == 0;
  }

  /** Whether a side has, or gets, an hour or more for each move. */
  public boolean isCorrespondence() {
    return incrementMillis >= HOUR || (isPerMove && baseMillis >= HOUR);
  }
}
