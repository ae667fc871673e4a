package gambit.app.tool.client;

import gambit.chess.rules.Side;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of a game at a time of this client. Immutable. All times are milliseconds.
 *
 * @param white White's remaining time at {@code at}
 * @param black Black's remaining time at {@code at}
 * @param running the side whose clock runs, or null if none does
 * @param at epoch milliseconds of this client's clock
 */
public record GameClocks(long white, long black, @Nullable Side running, long at) {

  /** The remaining time of a side, at least 0. */
  public long left(Side side, long now) {
    long left = side == Side.WHITE ? white : black;
    return side == running ? Math.max(0, left - Math.max(0, now - at)) : left;
  }

  GameClocks stopped(long now) {
    return new GameClocks(left(Side.WHITE, now), left(Side.BLACK, now), null, now);
  }
}
