package gambit.chess.session.play;

import gambit.chess.game.TimeControl;
import gambit.core.model.PubKey;
import java.time.Duration;

/**
 * The settings of chess. While the relay runs, {@link #maxClockSkew} and {@link #simultaneousGames}
 * do not change; the others apply to what begins afterwards.
 *
 * @param maxClockSkew the maximum difference between a chess event's {@code created_at} and arrival
 * @param abandonGrace the grace period in which a disconnected player may return
 * @param lagAllowance the time of each move that is not charged, for the delay of the network
 * @param requireRelayTag whether chess events must name this relay in a {@code relay} tag
 * @param slowGames the maximum of slow games of a player at a time, from 0 to {@link
 *     SimultaneousGames#LIMIT}, beside one live game
 * @param reminders whether players are reminded of slow games by private messages with links to the
 *     page at the relay's URL
 * @param jesterGames the maximum of open games of kind 30 of a player
 * @param jesterGamesInAll the same of all players
 */
public record ChessSettings(
    Duration maxClockSkew,
    Duration abandonGrace,
    Duration firstMoveLimit,
    Duration lagAllowance,
    TimeControl defaultTime,
    boolean requireAuth,
    boolean requireRelayTag,
    int slowGames,
    boolean reminders,
    int jesterGames,
    int jesterGamesInAll,
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
          50,
          true,
          200,
          100_000,
          SimultaneousGames.NONE);

  public ChessSettings {
    requireSeconds("max_clock_skew", maxClockSkew);
    requireSeconds("abandon_grace", abandonGrace);
    requireSeconds("first_move_limit", firstMoveLimit);
    if (lagAllowance.isNegative() || lagAllowance.compareTo(MAX_LAG) > 0) {
      throw new IllegalArgumentException("lag_allowance must be between 0 and 500 ms");
    }
    if (slowGames < 0 || slowGames > SimultaneousGames.LIMIT) {
      throw new IllegalArgumentException(
          "slow_games must be between 0 and " + SimultaneousGames.LIMIT);
    }
    if (defaultTime.isSlow()) {
      throw new IllegalArgumentException(
          "default_time must be shorter than an hour a move: nobody is paired for a slow game");
    }
  }

  public int maxGamesOf(PubKey player) {
    return simultaneousGames.includes(player) ? simultaneousGames.max() : 1 + slowGames;
  }

  public ChessSettings withSimultaneousGames(SimultaneousGames players) {
    return new ChessSettings(
        maxClockSkew,
        abandonGrace,
        firstMoveLimit,
        lagAllowance,
        defaultTime,
        requireAuth,
        requireRelayTag,
        slowGames,
        reminders,
        jesterGames,
        jesterGamesInAll,
        players);
  }

  private static void requireSeconds(String name, Duration duration) {
    if (duration.toSeconds() <= 0 || duration.toMillis() % 1000 != 0) {
      throw new IllegalArgumentException(name + " must be a positive number of seconds");
    }
  }
}
