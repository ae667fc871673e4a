/**
 * Players in crowds who play at random, each game with a score of what the relay has told of it: so
 * that it can be found out whether a relay that was killed still stands by its word.
 */
@NullMarked
package gambit.app.games;

import org.jspecify.annotations.NullMarked;
