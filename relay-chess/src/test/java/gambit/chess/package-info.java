/** Tests of the module as a whole. */
@NullMarked
package gambit.chess;

import org.jspecify.annotations.NullMarked;
