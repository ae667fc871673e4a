/**
 * {@code gambit play}: a board in the terminal, for players and spectators; and {@code gambit
 * demo}: two clients that play a game over any relay with a NIP-100 referee. They use the protocol
 * only and must not depend on the relay's implementation.
 */
@NullMarked
package gambit.app.tool.play;

import org.jspecify.annotations.NullMarked;
