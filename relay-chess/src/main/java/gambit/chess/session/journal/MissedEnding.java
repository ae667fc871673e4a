package gambit.chess.session.journal;

import gambit.chess.dialect.Notification;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;

/**
 * The ending of a game, for a player whom it is not known to have reached. Immutable.
 *
 * @param notice the player's notification, in the dialect of the player's seat
 * @param until the time at which it expires, in epoch milliseconds
 */
public record MissedEnding(PubKey player, EventId game, Notification notice, long until) {}
