/**
 * The ephemeral chess server as a dialect: its kinds, words, tags and answers are known in here
 * only.
 */
@NullMarked
package gambit.chess.dialect.ephemeral;

import org.jspecify.annotations.NullMarked;
