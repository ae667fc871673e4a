/**
 * Translation and nothing else: a player's event → what it asks for; what happened → the relay's
 * signed events. No state, no decisions about the game, no connections.
 */
@NullMarked
package gambit.chess.dialect;

import org.jspecify.annotations.NullMarked;
