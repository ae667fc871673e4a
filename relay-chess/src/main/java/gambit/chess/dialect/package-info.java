/**
 * Translation between players' events and the game: the interfaces of a dialect, the requests and
 * notifications that all dialects share, and the events that are the same in all of them. Each
 * dialect is a sub-package. No state, no decisions about games, no connections.
 */
@NullMarked
package gambit.chess.dialect;

import org.jspecify.annotations.NullMarked;
