/** Running games: their steps, timers and awaited moves; players who are absent or return. */
@NullMarked
package gambit.chess.session.play;

import org.jspecify.annotations.NullMarked;
