package gambit.chess.session.runtime;

import gambit.chess.game.TimeControl;
import java.time.Duration;

/**
 * The settings of chess. While the relay runs, {@link #maxClockSkew} and {@link #simultaneousGames}
 * do not change; the others apply to what begins afterwards.
 *
 * @param maxClockSkew the maximum difference between a chess event's {@code created_at} and arrival
 * @param abandonGrace the grace period in which a disconnected player may return
 * @param firstMoveLimit the time limit for the first move of either side
 * @param lagAllowance the time of each move that is not charged, for the delay of the network
 * @param defaultTime the time control of requests that name none
 * @param requireAuth whether players must log in (NIP-42)
 * @param requireRelayTag whether chess events must name this relay in a {@code relay} tag
 * @param simultaneousGames the players who may have several games at once
 */
public record ChessSettings(
    Duration maxClockSkew,
    Duration abandonGrace,
    Duration firstMoveLimit,
    Duration lagAllowance,
    TimeControl defaultTime,
    boolean requireAuth,
    boolean requireRelayTag,
    SimultaneousGames simultaneousGames) {
  private static final Duration MAX_LAG = Duration.ofMillis(500);

  public static final ChessSettings DEFAULT =
      new ChessSettings(
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofMillis(200),
          TimeControl.TEN_MINUTES_A_MOVE,
          false,
          false,
          SimultaneousGames.NONE);

  public ChessSettings {
    requireSeconds("max_clock_skew", maxClockSkew);
    requireSeconds("abandon_grace", abandonGrace);
    requireSeconds("first_move_limit", firstMoveLimit);
    if (lagAllowance.isNegative() || lagAllowance.compareTo(MAX_LAG) > 0) {
      throw new IllegalArgumentException("lag_allowance must be between 0 and 500 ms");
    }
  }

  /** With other players who may have several games at once. */
  public ChessSettings withSimultaneousGames(SimultaneousGames players) {
    return new ChessSettings(
        maxClockSkew,
        abandonGrace,
        firstMoveLimit,
        lagAllowance,
        defaultTime,
        requireAuth,
        requireRelayTag,
        players);
  }

  private static void requireSeconds(String name, Duration duration) {
    if (duration.toSeconds() <= 0 || duration.toMillis() % 1000 != 0) {
      throw new IllegalArgumentException(name + " must be a positive number of seconds");
    }
  }
}
