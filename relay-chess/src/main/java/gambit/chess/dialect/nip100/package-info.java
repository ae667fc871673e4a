/** The NIP-100 draft as a dialect: its kinds, words, tags and answers are known in here only. */
@NullMarked
package gambit.chess.dialect.nip100;

import org.jspecify.annotations.NullMarked;
