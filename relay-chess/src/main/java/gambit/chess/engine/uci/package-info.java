/**
 * The engine for programs that speak UCI (Universal Chess Interface), and its entry in a browser,
 * for which the build compiles it to WebAssembly.
 */
@NullMarked
package gambit.chess.engine.uci;

import org.jspecify.annotations.NullMarked;
