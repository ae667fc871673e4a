package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.List;

/**
 * What is to be committed together, all of it or nothing. Immutable.
 *
 * @param events to be stored
 * @param withdrawn stored events that go with it; if one of them is not stored any more, nothing
 *     happens: {@link WriteOutcome#GONE}
 * @param rows to be set or removed, in this order
 */
public record Commit(List<Event> events, List<EventId> withdrawn, List<Row> rows) {
  public Commit {
    events = List.copyOf(events);
    withdrawn = List.copyOf(withdrawn);
    rows = List.copyOf(rows);
  }

  /** Events to be stored, and nothing else. */
  public static Commit of(List<Event> events) {
    return new Commit(events, List.of(), List.of());
  }
}
