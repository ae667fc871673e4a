/** Tests of the rules: known counts, an independent library, and tables of edges. */
@NullMarked
package gambit.chess.rules;

import org.jspecify.annotations.NullMarked;
