@NullMarked
package gambit.chess.engine.uci;

import org.jspecify.annotations.NullMarked;
