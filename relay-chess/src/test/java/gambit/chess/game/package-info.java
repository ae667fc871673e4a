/** Tests of the referee, the lobby and the record of a game. */
@NullMarked
package gambit.chess.game;

import org.jspecify.annotations.NullMarked;
