package gambit.chess.rating;

/**
 * A player's rating in one category after the player's last rated game. Immutable.
 *
 * @param rating in hundredths
 * @param deviation in hundredths, from 4,500 to 50,000
 * @param volatility in millionths
 * @param lastAt the chain time of the last one, in seconds of Unix time; 0 before the first
 */
public record Rating(int rating, int deviation, int volatility, int games, long lastAt) {
  public static final Rating INITIAL = new Rating(150_000, 50_000, 90_000, 0, 0);

  /** A rating with a larger deviation is provisional. */
  public static final int MAX_ESTABLISHED_DEVIATION = 11_000;

  public static final int MAX_LEADER_DEVIATION = 7_500;
}
