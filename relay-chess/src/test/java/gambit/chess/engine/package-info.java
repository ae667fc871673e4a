/**
 * Tests of the engine. They bound searches by positions, not by time, so that none depends on it.
 */
@NullMarked
package gambit.chess.engine;

import org.jspecify.annotations.NullMarked;
