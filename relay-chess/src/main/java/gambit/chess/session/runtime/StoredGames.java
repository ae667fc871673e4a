package gambit.chess.session.runtime;

import gambit.chess.dialect.RefereeEvents;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The games of which the store has the first event, whichever relay has refereed them. Any thread.
 */
public record StoredGames(StoredEvents events) {

  public Optional<Event> firstEvent(String game) {
    if (!Hex.isLowerCase(game, 64)) {
      return Optional.empty();
    }
    Set<EventId> id = Set.of(EventId.ofHex(game));
    return events.find(new Filter(id, null, null, Map.of(), null, null, null), 1).stream()
        .filter(RefereeEvents::isFirstOfGame)
        .findFirst();
  }
}
