package gambit.core.feature;

import gambit.core.model.Filter;
import java.util.List;

/**
 * A query of a feature for the events that match at least one filter, each once. The events of a
 * filter come newest first, those of the next filter after them; a filter's {@code limit} is
 * ignored. Immutable.
 *
 * @param withCurrentStates whether to include the current states ({@link Outgoing.Current}) of
 *     kinds that a filter names
 */
public record EventQuery(List<Filter> filters, boolean withCurrentStates) {
  public EventQuery {
    filters = List.copyOf(filters);
  }

  /** A query for stored events. */
  public static EventQuery stored(List<Filter> filters) {
    return new EventQuery(filters, false);
  }

  /** A query for stored events and current states. */
  public static EventQuery storedAndCurrent(List<Filter> filters) {
    return new EventQuery(filters, true);
  }
}
