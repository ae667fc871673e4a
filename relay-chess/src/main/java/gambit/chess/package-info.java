/** The referee of chess games: rules, game, dialects and the session manager of the relay. */
@NullMarked
package gambit.chess;

import org.jspecify.annotations.NullMarked;
