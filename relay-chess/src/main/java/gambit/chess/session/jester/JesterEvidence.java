package gambit.chess.session.jester;

import gambit.chess.dialect.jester.JesterMessage;
import gambit.chess.dialect.jester.JesterMessage.Start;
import gambit.chess.dialect.jester.JesterMessage.Turn;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;

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
      return stored.find(turn.start()).isPresent();
    }
    return message instanceof Start
        && stored
            .find(JesterJudge.naming(event.id(), JesterMessage.KIND, null), MAX_EVENTS)
            .stream()
            .anyMatch(other -> !other.pubkey().equals(event.pubkey()));
  }
}
