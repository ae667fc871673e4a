/** Floods, malformed events and replayed events: each is answered, and other games continue. */
@NullMarked
package gambit.chess.hostile;

import org.jspecify.annotations.NullMarked;
