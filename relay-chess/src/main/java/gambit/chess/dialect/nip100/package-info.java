/** The dialect of the NIP-100 draft. Only this package knows its kinds, words and tags. */
@NullMarked
package gambit.chess.dialect.nip100;

import org.jspecify.annotations.NullMarked;
