/**
 * The rules of chess (FIDE Laws, articles 1–3, 5 and 9): positions, moves, notations, and the
 * positions that end a game. Immutable values and pure functions: no I/O, no clock, no threads, and
 * no dependency on the relay.
 */
@NullMarked
package gambit.chess.rules;

import org.jspecify.annotations.NullMarked;
