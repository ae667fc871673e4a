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
   * @throws IllegalArgumentException when one of them is not a positive number of seconds
   */
  public ChessSettings {
    requireSeconds("max_clock_skew", maxClockSkew);
    requireSeconds("abandon_grace", abandonGrace);
  }

  private static void requireSeconds(String name, Duration duration) {
    if (duration.toSeconds() <= 0 || duration.toMillis() % 1000 != 0) {
      throw new IllegalArgumentException(name + " must be a positive number of seconds");
    }
  }
}
