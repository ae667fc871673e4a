package gambit.app;

import gambit.app.bot.BotSettings;
import gambit.chess.session.runtime.SimultaneousGames;
import java.net.InetAddress;
import java.util.Locale;

/**
 * The settings of the house player. Immutable.
 *
 * @param bot how it plays
 */
record HouseSettings(Enabled enabled, BotSettings bot) {
  /**
   * Checks the maximum of games.
   *
   * @throws IllegalArgumentException if no player may have as many at once
   */
  HouseSettings {
    if (bot.maxGames() > SimultaneousGames.LIMIT) {
      throw new IllegalArgumentException(
          "chess.house.max_games is at most " + SimultaneousGames.LIMIT);
    }
  }

  /** Whether there is a house player. */
  enum Enabled {
    /** While the relay listens on loopback only. */
    AUTO,
    TRUE,
    FALSE;

    /**
     * Reads the word of a setting.
     *
     * @throws IllegalArgumentException if there is no such word
     */
    static Enabled parse(String word) {
      for (Enabled each : values()) {
        if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
          return each;
        }
      }
      throw new IllegalArgumentException(word + " is neither auto, true nor false");
    }
  }

  /** Whether a relay that listens on an address has a house player. */
  boolean isOn(InetAddress listening) {
    return enabled == Enabled.TRUE || (enabled == Enabled.AUTO && listening.isLoopbackAddress());
  }
}
