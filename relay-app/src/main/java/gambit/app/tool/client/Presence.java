package gambit.app.tool.client;

import gambit.chess.rules.Side;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The presence of a game's players and spectators (kind 20306). Immutable.
 *
 * @param whiteAwaySince null while White is connected
 * @param blackAwaySince null while Black is connected
 * @param watching the number of connections that follow the game, other than the players'
 */
public record Presence(
    @Nullable Instant whiteAwaySince, @Nullable Instant blackAwaySince, int watching) {

  /** The time since which a player is disconnected, or null while connected. */
  public @Nullable Instant awaySince(Side side) {
    return side == Side.WHITE ? whiteAwaySince : blackAwaySince;
  }
}
