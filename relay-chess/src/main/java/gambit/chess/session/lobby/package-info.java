/** How players find each other: searches in queues, invites and rematches. */
@NullMarked
package gambit.chess.session.lobby;

import org.jspecify.annotations.NullMarked;
