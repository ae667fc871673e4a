/** Games, invites and used events across restarts, crashes and failing commits. */
@NullMarked
package gambit.chess.faults;

import org.jspecify.annotations.NullMarked;
