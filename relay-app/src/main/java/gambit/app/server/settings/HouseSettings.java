package gambit.app.server.settings;

import gambit.app.server.config.SettingsReader;
import gambit.app.tool.bot.BotSettings;
import gambit.chess.engine.Level;
import gambit.chess.session.play.SimultaneousGames;
import java.net.InetAddress;
import java.time.Duration;

/** The settings of the house player, {@code chess.house}. Immutable. */
public record HouseSettings(Enabled enabled, BotSettings bot) {
  public enum Enabled {
    /** While the relay listens on loopback only. */
    AUTO,
    TRUE,
    FALSE
  }

  static HouseSettings read(SettingsReader house) {
    int threads = house.count("threads");
    int maxGames = house.count("max_games");
    if (maxGames > SimultaneousGames.LIMIT) {
      throw house.problem("max_games", "expected at most " + SimultaneousGames.LIMIT);
    }
    Duration moveTime = house.duration("move_time");
    String engine = house.text("engine");
    boolean openStarts = house.bool("open_starts");
    return new HouseSettings(
        house.choice("enabled", Enabled.class),
        house.check(
            () ->
                new BotSettings(
                    BotSettings.command(engine),
                    threads,
                    maxGames,
                    moveTime,
                    Level.THREE,
                    openStarts)));
  }

  public boolean isOn(InetAddress listening) {
    return enabled == Enabled.TRUE || (enabled == Enabled.AUTO && listening.isLoopbackAddress());
  }
}
