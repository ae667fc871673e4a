package gambit.core.feature;

import gambit.core.model.Filter;
import java.util.List;

/**
 * A query of a feature for the events that match at least one filter, each once: filter by filter,
 * first the current states, if they are included, then the stored events, newest first. A filter's
 * {@code limit} is ignored. Immutable.
 *
 * @param verb of the message that asks, under which a slow query is logged
 * @param includesStates whether to include the current states ({@link Outgoing.Current}) of kinds
 *     that a filter names; they are not signed
 * @param waitsForRoom whether to wait before each page until the client has taken most of the
 *     frames that are queued for it: for a receiver that sends a frame for each event
 */
public record EventQuery(
    String verb, List<Filter> filters, boolean includesStates, boolean waitsForRoom) {
  public EventQuery {
    filters = List.copyOf(filters);
  }

  /** A query for stored events. */
  public static EventQuery stored(String verb, List<Filter> filters) {
    return new EventQuery(verb, filters, false, false);
  }

  public EventQuery withCurrentStates() {
    return new EventQuery(verb, filters, true, waitsForRoom);
  }

  public EventQuery waitingForRoom() {
    return new EventQuery(verb, filters, includesStates, true);
  }
}
