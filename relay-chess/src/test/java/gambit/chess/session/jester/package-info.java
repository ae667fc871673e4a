@NullMarked
package gambit.chess.session.jester;

import org.jspecify.annotations.NullMarked;
