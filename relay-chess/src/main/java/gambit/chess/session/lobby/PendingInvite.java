package gambit.chess.session.lobby;

import gambit.chess.dialect.InviteTerms;
import gambit.chess.session.journal.InviteRows.StoredInvite;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import org.jspecify.annotations.Nullable;

/**
 * An invite that waits to be accepted. Immutable.
 *
 * @param id of the event that invites
 * @param from its author's address, or null after a restart
 * @param createdAt of the event, in seconds of Unix time
 * @param rematchOf the game of which it is a rematch, else null
 * @param colourNotifications the event itself, if its dialect notifies of the colour
 */
public record PendingInvite(
    EventId id,
    PubKey author,
    @Nullable ClientAddress from,
    long createdAt,
    InviteTerms terms,
    @Nullable EventId rematchOf,
    ColourNotifications colourNotifications) {

  /** Whether a player may accept it. */
  public boolean isFor(PubKey player) {
    return terms.opponent() == null ? !author.equals(player) : player.equals(terms.opponent());
  }

  /** Whether it has expired at a time in epoch milliseconds. */
  public boolean isExpired(long time) {
    return time >= terms.expiresAt() * 1000;
  }

  /** An invite that was pending before a restart. */
  public static PendingInvite restored(StoredInvite stored) {
    return new PendingInvite(
        stored.id(),
        stored.author(),
        null,
        stored.createdAt(),
        stored.terms(),
        stored.rematchOf(),
        new ColourNotifications());
  }

  /** The part of it that survives a restart. */
  public StoredInvite stored() {
    return new StoredInvite(id, author, createdAt, terms, rematchOf);
  }
}
