/** The ratings of players, the chain of rated records and the leaderboards of this relay. */
@NullMarked
package gambit.chess.session.rating;

import org.jspecify.annotations.NullMarked;
