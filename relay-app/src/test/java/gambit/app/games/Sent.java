package gambit.app.games;

import gambit.chess.dialect.Request;
import gambit.core.model.Event;

/**
 * What a player has sent to a game.
 *
 * @param illegal whether it is a move that cannot be played
 * @param at when, by {@link System#nanoTime}
 * @param start during which start of the relay
 * @param known how many steps of the game the player was shown before
 */
record Sent(Event event, Request.InGame request, boolean illegal, long at, int start, int known) {}
