/**
 * Tests of the protocol's machine-readable files: test vectors, schemas and the AsyncAPI document.
 */
@NullMarked
package gambit.chess.machines;

import org.jspecify.annotations.NullMarked;
