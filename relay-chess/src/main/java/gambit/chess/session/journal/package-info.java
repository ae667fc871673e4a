/**
 * The rows in which the session manager keeps what must survive a restart, and their formats. Pure.
 */
@NullMarked
package gambit.chess.session.journal;

import org.jspecify.annotations.NullMarked;
