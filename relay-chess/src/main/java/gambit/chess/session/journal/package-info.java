/**
 * The journal: the rows in which the session manager keeps its state for a restart, and their
 * formats. Pure.
 */
@NullMarked
package gambit.chess.session.journal;

import org.jspecify.annotations.NullMarked;
