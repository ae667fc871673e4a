/**
 * Requests and deadlines that coincide: there is one outcome, and everyone is sent the same one.
 */
@NullMarked
package gambit.chess.races;

import org.jspecify.annotations.NullMarked;
