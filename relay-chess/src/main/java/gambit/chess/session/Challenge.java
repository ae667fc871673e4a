package gambit.chess.session;

import gambit.chess.dialect.Terms;
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
 * @param connects the event itself, to be told the colour
 */
record Challenge(
    EventId id,
    PubKey author,
    @Nullable ClientAddress from,
    long createdAt,
    Terms terms,
    @Nullable EventId rematchOf,
    Connects connects) {

  /** Whether a player may accept it. */
  boolean isFor(PubKey player) {
    return terms.opponent() == null ? !author.equals(player) : player.equals(terms.opponent());
  }

  /** Whether it has expired by then (epoch milliseconds). */
  boolean isOver(long time) {
    return time >= terms.expiresAt() * 1000;
  }
}
