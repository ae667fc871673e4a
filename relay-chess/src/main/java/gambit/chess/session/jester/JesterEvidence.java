package gambit.chess.session.jester;

import gambit.chess.dialect.jester.JesterMessage;
import gambit.chess.dialect.jester.JesterMessage.Start;
import gambit.chess.dialect.jester.JesterMessage.Turn;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import java.util.Map;
import java.util.Set;

/**
 * Which events of kind 30 a record names or may come to name: the moves and ends of a game of which
 * the start is stored, and a start that somebody else has answered. Any thread.
 */
public final class JesterEvidence {
  /** The most events of a game looked at for one by another author. */
  private static final int MAX_EVENTS = 100;

  private JesterEvidence() {}

  public static boolean isEvidence(Event event, StoredEvents stored) {
    JesterMessage message = JesterMessage.read(event).orElse(null);
    if (message instanceof Turn turn) {
      return !stored.find(byId(turn.start()), 1).isEmpty();
    }
    return message instanceof Start
        && stored.find(naming(event.id()), MAX_EVENTS).stream()
            .anyMatch(other -> !other.pubkey().equals(event.pubkey()));
  }

  private static Filter byId(EventId id) {
    return new Filter(Set.of(id), null, null, Map.of(), null, null, null);
  }

  private static Filter naming(EventId id) {
    return new Filter(
        null, null, Set.of(JesterMessage.KIND), Map.of('e', Set.of(id.hex())), null, null, null);
  }
}
