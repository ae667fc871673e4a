/**
 * Translation between players' events and the game: what a dialect is, what its reader makes of an
 * event, what its writer is asked for, and the events that are the same in all dialects. A dialect
 * is a sub-package. No state, no decisions about the game, no connections.
 */
@NullMarked
package gambit.chess.dialect;

import org.jspecify.annotations.NullMarked;
