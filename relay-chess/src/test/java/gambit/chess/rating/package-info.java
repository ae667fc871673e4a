/** Tests of the ratings. */
@NullMarked
package gambit.chess.rating;

import org.jspecify.annotations.NullMarked;
