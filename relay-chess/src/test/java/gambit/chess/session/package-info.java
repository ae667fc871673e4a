/** Tests of the session manager, over real sockets. */
@NullMarked
package gambit.chess.session;

import org.jspecify.annotations.NullMarked;
