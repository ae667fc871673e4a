package gambit.app.verify;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The events that a relay has served for a game, none of them checked.
 *
 * @param announcement the event whose id is the game's
 * @param records the events that the relay serves as the game's records
 * @param events the events that the records name, by id
 */
record FetchedGame(
    EventId game, Optional<Event> announcement, List<Event> records, Map<String, Event> events) {}
