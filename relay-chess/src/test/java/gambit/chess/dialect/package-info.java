/** Tests of the dialects and of the pages that describe them. */
@NullMarked
package gambit.chess.dialect;

import org.jspecify.annotations.NullMarked;
