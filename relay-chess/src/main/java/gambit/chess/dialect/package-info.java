/**
 * Translation between players' events and the game: the interface of a dialect, the requests and
 * notifications that all dialects share, the events that are the same in all of them, and the
 * dialects. No state, no decisions about games, no connections.
 */
@NullMarked
package gambit.chess.dialect;

import org.jspecify.annotations.NullMarked;
