/**
 * The rules of chess (FIDE Laws, articles 1–3, 5 and 9): positions, moves, and what a position is
 * by itself. Immutable values and pure functions: no I/O, no clock, no threads, nothing of the
 * relay.
 */
@NullMarked
package gambit.chess.rules;

import org.jspecify.annotations.NullMarked;
