package gambit.chess.frames;

import gambit.chess.session.runtime.ChessSettings;

/** Settings of chess with other requirements to players' events. */
public final class RequiredSettings {
  private RequiredSettings() {}

  /** Settings with logins and relay tags required or not. */
  public static ChessSettings of(
      ChessSettings settings, boolean requireAuth, boolean requireRelayTag) {
    return new ChessSettings(
        settings.maxClockSkew(),
        settings.abandonGrace(),
        settings.firstMoveLimit(),
        settings.lagAllowance(),
        settings.defaultTime(),
        requireAuth,
        requireRelayTag,
        settings.simultaneousGames());
  }
}
