/**
 * The intake of players' events: it decides whether an event may have an effect, and hands its
 * request to matchmaking or to a game.
 */
@NullMarked
package gambit.chess.session.intake;

import org.jspecify.annotations.NullMarked;
