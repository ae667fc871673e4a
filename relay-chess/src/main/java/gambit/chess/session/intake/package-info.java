/**
 * Where players' events come in: it decides whether an event may have an effect, and hands its
 * request to the lobby or to a game.
 */
@NullMarked
package gambit.chess.session.intake;

import org.jspecify.annotations.NullMarked;
