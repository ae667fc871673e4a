package gambit.chess.session.runtime;

import gambit.chess.dialect.RefereeEvents;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import java.util.Optional;

/**
 * The games of which the store has the first event, whichever relay has refereed them. Any thread.
 */
public record StoredGames(StoredEvents events) {

  public Optional<Event> firstEvent(String game) {
    return Hex.isLowerCase(game, 64)
        ? events.find(EventId.ofHex(game)).filter(RefereeEvents::isFirstOfGame)
        : Optional.empty();
  }
}
