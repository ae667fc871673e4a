/** Running games: their steps, timers and awaited moves, and the players who return to them. */
@NullMarked
package gambit.chess.session.play;

import org.jspecify.annotations.NullMarked;
