package gambit.chess.rating;

import gambit.chess.game.TimeControl;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A class of time controls; a player has one rating in each. */
public enum Category {
  BULLET,
  BLITZ,
  RAPID,
  CLASSICAL,
  /** A move may take an hour or more. */
  CORRESPONDENCE;

  private static final List<Category> ALL = List.of(values());

  /** The moves that a game is taken to last. */
  private static final int MOVES = 40;

  private static final long BULLET_MILLIS = 180_000;
  private static final long BLITZ_MILLIS = 480_000;
  private static final long RAPID_MILLIS = 1_500_000;

  /** The category of a time control; untimed games have none. */
  public static Optional<Category> of(TimeControl time) {
    if (time.isUntimed()) {
      return Optional.empty();
    } else if (time.isCorrespondence()) {
      return Optional.of(CORRESPONDENCE);
    }
    long millis =
        time.isPerMove()
            ? MOVES * time.baseMillis()
            : time.baseMillis() + MOVES * time.incrementMillis();
    return Optional.of(
        millis < BULLET_MILLIS
            ? BULLET
            : millis < BLITZ_MILLIS ? BLITZ : millis < RAPID_MILLIS ? RAPID : CLASSICAL);
  }

  public static Optional<Category> ofWord(String word) {
    return ALL.stream().filter(category -> category.word().equals(word)).findFirst();
  }

  /** Its number in rows. */
  public byte code() {
    return (byte) ALL.indexOf(this);
  }

  public static Category ofCode(byte code) {
    return ALL.get(code);
  }

  /** Its name in tags: {@code blitz}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of the {@code t} tag of its records, by which they are found. */
  public String topic() {
    return "rated-" + word();
  }
}
