/**
 * The referee and PGN: a game of chess between two sides, independent of any protocol.
 *
 * <p>Everything is a function or an immutable value, and time is an argument (epoch milliseconds).
 * Keys of players and dialects are not known here.
 */
@NullMarked
package gambit.chess.game;

import org.jspecify.annotations.NullMarked;
