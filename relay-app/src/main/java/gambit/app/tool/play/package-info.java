/**
 * {@code gambit play}: a board in the terminal, for players and spectators. It uses the protocol
 * only and must not depend on the relay's implementation.
 */
@NullMarked
package gambit.app.tool.play;

import org.jspecify.annotations.NullMarked;
