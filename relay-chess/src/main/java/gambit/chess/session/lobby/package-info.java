/** The ways in which players find an opponent: searches in queues, invites and rematches. */
@NullMarked
package gambit.chess.session.lobby;

import org.jspecify.annotations.NullMarked;
