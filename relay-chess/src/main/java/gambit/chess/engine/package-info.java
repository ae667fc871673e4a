/**
 * A chess engine: it chooses a move in a position, at one of five levels of strength. It is pure:
 * its chance is a generator that the caller seeds, and its time is a condition that the caller
 * tests a clock in.
 */
@NullMarked
package gambit.chess.engine;

import org.jspecify.annotations.NullMarked;
