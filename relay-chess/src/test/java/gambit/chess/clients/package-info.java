/** Clients written independently of the relay, and the games that they play with each other. */
@NullMarked
package gambit.chess.clients;

import org.jspecify.annotations.NullMarked;
