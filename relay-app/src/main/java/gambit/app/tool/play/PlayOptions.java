package gambit.app.tool.play;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import org.jspecify.annotations.Nullable;

/**
 * What the user wants to do first. Immutable. At most one of the first four is chosen; otherwise
 * the player searches for an opponent.
 *
 * @param botLevel the strength of the relay's house player, 0 for its default, or null
 * @param invited the player to be invited, or null
 * @param accepted the invite to be accepted, or null
 * @param watched the game to be watched, or null
 * @param time the time control, or null for the relay's default
 * @param side the side to play in an invite, or null for a random one
 */
record PlayOptions(
    @Nullable Integer botLevel,
    @Nullable PubKey invited,
    @Nullable InviteLink accepted,
    @Nullable EventId watched,
    @Nullable TimeControl time,
    @Nullable Side side) {}
