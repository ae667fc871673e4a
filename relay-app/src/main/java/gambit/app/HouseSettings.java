package gambit.app;

import gambit.app.bot.BotSettings;
import java.net.InetAddress;
import java.util.Locale;

/**
 * The settings of the house player. Immutable.
 *
 * @param bot how it plays
 */
record HouseSettings(Enabled enabled, BotSettings bot) {

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
