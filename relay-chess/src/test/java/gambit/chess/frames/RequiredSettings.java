package gambit.chess.frames;

import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.SimultaneousGames;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.Keys;
import java.nio.file.Path;
import java.util.Set;

/** The settings of chess that a golden file requires, or a test. */
public final class RequiredSettings {
  private static final SimultaneousGames TWO_OF_THE_HOUSE =
      new SimultaneousGames(Set.of(Keys.of("house").pubkey()), 2);

  private RequiredSettings() {}

  public static ChessSettings of(Path file) {
    ChessSettings settings =
        of(
            ChessSettings.DEFAULT,
            GoldenFile.hasSetting(file, "chess require_auth"),
            GoldenFile.hasSetting(file, "chess require_relay_tag"),
            GoldenFile.hasSetting(file, "chess has 2 slow games") ? 2 : 50,
            GoldenFile.hasSetting(file, "chess has 2 jester games") ? 2 : 200);
    return GoldenFile.hasSetting(file, "chess house has 2 games")
        ? settings.withSimultaneousGames(TWO_OF_THE_HOUSE)
        : settings;
  }

  /** Settings with logins and relay tags required or not, and a number of slow games. */
  public static ChessSettings of(
      ChessSettings settings, boolean requireAuth, boolean requireRelayTag, int slowGames) {
    return of(settings, requireAuth, requireRelayTag, slowGames, settings.jesterGames());
  }

  private static ChessSettings of(
      ChessSettings settings,
      boolean requireAuth,
      boolean requireRelayTag,
      int slowGames,
      int jesterGames) {
    return new ChessSettings(
        settings.maxClockSkew(),
        settings.abandonGrace(),
        settings.firstMoveLimit(),
        settings.lagAllowance(),
        settings.defaultTime(),
        requireAuth,
        requireRelayTag,
        slowGames,
        settings.reminders(),
        jesterGames,
        settings.jesterGamesInAll(),
        settings.simultaneousGames());
  }
}
