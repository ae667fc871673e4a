package gambit.app.games;

import gambit.chess.dialect.Request;
import gambit.core.model.Event;

/**
 * A request that a player has sent to a game.
 *
 * @param illegal whether it is an illegal move
 * @param at the time of sending, by {@link System#nanoTime}
 * @param start the start of the relay during which it was sent
 * @param known the number of steps of the game that the player had been shown
 */
record SentRequest(
    Event event, Request.InGame request, boolean illegal, long at, int start, int known) {}
