package gambit.app.verify;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a relay has served of a game, of which nothing is checked.
 *
 * @param announcement the event whose id is the game's
 * @param records what it calls the game's records
 * @param events by their ids, the events that the records name
 */
record Evidence(
    EventId game, Optional<Event> announcement, List<Event> records, Map<String, Event> events) {}
