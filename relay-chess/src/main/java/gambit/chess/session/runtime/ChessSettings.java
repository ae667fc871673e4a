package gambit.chess.session.runtime;

import gambit.chess.game.TimeControl;
import java.time.Duration;

/**
 * What an operator can set about chess.
 *
 * @param maxClockSkew how far {@code created_at} of a chess event may be from its arrival
 * @param abandonGrace how long a player may be gone before losing the game
 * @param firstMoveLimit how long the first move of either side may take
 * @param lagAllowance how much of the time for each move is not counted, since the network takes it
 * @param defaultTime the time control of those who do not say any
 * @param requireAuth whether players have to log in (NIP-42)
 */
public record ChessSettings(
    Duration maxClockSkew,
    Duration abandonGrace,
    Duration firstMoveLimit,
    Duration lagAllowance,
    TimeControl defaultTime,
    boolean requireAuth) {
  private static final Duration MOST_LAG = Duration.ofMillis(500);

  public static final ChessSettings DEFAULT =
      new ChessSettings(
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofMillis(200),
          TimeControl.TEN_MINUTES_A_MOVE,
          false);

  /**
   * Takes the settings.
   *
   * @throws IllegalArgumentException when one of the first three is not a positive number of
   *     seconds, or the allowance more than half a second
   */
  public ChessSettings {
    requireSeconds("max_clock_skew", maxClockSkew);
    requireSeconds("abandon_grace", abandonGrace);
    requireSeconds("first_move_limit", firstMoveLimit);
    if (lagAllowance.isNegative() || lagAllowance.compareTo(MOST_LAG) > 0) {
      throw new IllegalArgumentException("lag_allowance must be between 0 and 500 ms");
    }
  }

  /** With logins required or not. */
  public ChessSettings withRequireAuth(boolean required) {
    return new ChessSettings(
        maxClockSkew, abandonGrace, firstMoveLimit, lagAllowance, defaultTime, required);
  }

  private static void requireSeconds(String name, Duration duration) {
    if (duration.toSeconds() <= 0 || duration.toMillis() % 1000 != 0) {
      throw new IllegalArgumentException(name + " must be a positive number of seconds");
    }
  }
}
