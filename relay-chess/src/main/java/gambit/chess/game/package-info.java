/**
 * The referee, the pairing queue, and PGN: a game of chess between two sides, independent of any
 * protocol.
 *
 * <p>Everything is a function or an immutable value, and time is an argument (epoch milliseconds);
 * only {@link gambit.chess.game.PairingQueue} is mutable. The package depends on the JDK and {@code
 * gambit.chess.rules} only: no I/O, no clock, no threads, no Netty, no storage, nothing of
 * relay-core. Keys of players and dialects are not known here.
 */
@NullMarked
package gambit.chess.game;

import org.jspecify.annotations.NullMarked;
