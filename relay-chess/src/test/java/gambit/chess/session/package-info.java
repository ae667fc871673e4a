/** Access of tests in other packages to the session manager. */
@NullMarked
package gambit.chess.session;

import org.jspecify.annotations.NullMarked;
