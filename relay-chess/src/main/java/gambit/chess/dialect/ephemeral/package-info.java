/** The dialect of the ephemeral chess server. Only this package knows its kinds, words and tags. */
@NullMarked
package gambit.chess.dialect.ephemeral;

import org.jspecify.annotations.NullMarked;
