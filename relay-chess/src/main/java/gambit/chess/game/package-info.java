/**
 * The referee, the lobby and the record of a game: what a game of chess between two sides is,
 * whatever the wire format.
 *
 * <p>Everything here is a function or a value, and time is an argument (epoch milliseconds); only
 * {@link gambit.chess.game.Lobby} is mutable. Beyond the JDK the package knows {@code
 * gambit.chess.rules} and nothing else: no I/O, no clock, no threads, no Netty, no storage and no
 * relay-core. Who a player is, and which dialect is spoken, is decided outside.
 */
@NullMarked
package gambit.chess.game;

import org.jspecify.annotations.NullMarked;
