package gambit.chess.session;

import java.time.Duration;

/**
 * What an operator can set about chess.
 *
 * @param maxClockSkew how far {@code created_at} of a chess event may be from its arrival
 * @param abandonGrace how long a player may be gone before losing the game
 */
public record ChessSettings(Duration maxClockSkew, Duration abandonGrace) {
  public static final ChessSettings DEFAULT =
      new ChessSettings(Duration.ofSeconds(60), Duration.ofSeconds(60));

  /**
   * Takes the settings.
   *
   * @throws IllegalArgumentException when a duration is not positive
   */
  public ChessSettings {
    if (!isPositive(maxClockSkew) || !isPositive(abandonGrace)) {
      throw new IllegalArgumentException("the durations of chess must be positive");
    }
  }

  private static boolean isPositive(Duration duration) {
    return !duration.isZero() && !duration.isNegative();
  }
}
