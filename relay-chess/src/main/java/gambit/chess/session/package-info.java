/**
 * The session manager of chess. On the chess lane, it owns searches, invites, games and the
 * bindings of connections to players. It asks the referee, commits the decision, and announces it
 * after the commit. It has no rules of chess.
 */
@NullMarked
package gambit.chess.session;

import org.jspecify.annotations.NullMarked;
