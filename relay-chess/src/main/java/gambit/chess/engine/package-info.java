/**
 * A chess engine: it chooses a move in a position, at one of five levels of strength.
 *
 * <p>The search is alpha-beta with iterative deepening, a quiescence search and a hash table of
 * fixed size; the evaluation interpolates between the middlegame and the endgame. It is pure: its
 * chance is a generator that the caller seeds, and its time is a condition that the caller tests a
 * clock in. The package uses the JDK and {@code gambit.chess.rules} only.
 */
@NullMarked
package gambit.chess.engine;

import org.jspecify.annotations.NullMarked;
