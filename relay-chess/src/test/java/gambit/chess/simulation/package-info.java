/**
 * The simulation: a seed and a clock that is moved by hand drive thousands of players through the
 * production session manager, while everything around it fails in every way it may; after each step
 * a checker that knows only commits and output asserts the invariants.
 */
@NullMarked
package gambit.chess.simulation;

import org.jspecify.annotations.NullMarked;
