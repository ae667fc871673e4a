/**
 * The games of kind 30: starts, moves and ends that clients send to any relay, in whatever order.
 * Owned by the chess lane.
 */
@NullMarked
package gambit.chess.session.jester;

import org.jspecify.annotations.NullMarked;
