package gambit.chess.session.lobby;

import gambit.chess.dialect.Terms;
import gambit.chess.session.journal.InviteRows.StoredInvite;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import org.jspecify.annotations.Nullable;

/**
 * An invite that waits to be accepted. Immutable.
 *
 * @param id of the event that invites
 * @param from where its author was then, or null if that was before a restart
 * @param createdAt of that event, in seconds of Unix time
 * @param rematchOf the game after which it is a rematch, else null
 * @param colourAnswers the event itself, to be told the colour
 */
public record Challenge(
    EventId id,
    PubKey author,
    @Nullable ClientAddress from,
    long createdAt,
    Terms terms,
    @Nullable EventId rematchOf,
    ColourAnswers colourAnswers) {

  /** Whether a player may accept it. */
  public boolean isFor(PubKey player) {
    return terms.opponent() == null ? !author.equals(player) : player.equals(terms.opponent());
  }

  /** Whether it has expired by then (epoch milliseconds). */
  public boolean isOver(long time) {
    return time >= terms.expiresAt() * 1000;
  }

  /** An invite that was pending before a restart. */
  public static Challenge restored(StoredInvite stored) {
    return new Challenge(
        stored.id(),
        stored.author(),
        null,
        stored.createdAt(),
        stored.terms(),
        stored.rematchOf(),
        new ColourAnswers());
  }

  /** What a restart must not lose of it. */
  public StoredInvite stored() {
    return new StoredInvite(id, author, createdAt, terms, rematchOf);
  }
}
