package gambit.chess.session.journal;

import gambit.chess.dialect.Notice;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;

/**
 * The ending of a game whose player had no connection when it ended. Immutable.
 *
 * @param notice the player's notification, in the dialect of the player's seat
 * @param until when it is dropped, in epoch milliseconds
 */
public record MissedEnding(PubKey player, EventId game, Notice notice, long until) {}
