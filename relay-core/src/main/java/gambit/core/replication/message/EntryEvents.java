package gambit.core.replication.message;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of an entry, numbered in order, so that each is written once and its effects name it
 * by its number: first the events that the entry's group adds, then those that an effect contains.
 * One thread.
 */
public final class EntryEvents {
  private final List<Event> events = new ArrayList<>();
  private final Map<EventId, Integer> places = new HashMap<>();
  private int placed; // how many have an entry in places
  private int next; // the place after that of the last event that was written

  /** Begins another entry. */
  public void begin(List<Event> added) {
    events.clear();
    events.addAll(added);
    places.clear();
    placed = 0;
    next = 0;
  }

  /** Writes an event's place, or the event if it has none yet. */
  public void write(Event event, BinaryOutput out) {
    int place = placeOf(event);
    out.putNumber(place + 1);
    if (place < 0) {
      out.putEvent(event);
      place = events.size();
      events.add(event);
    }
    next = place + 1;
  }

  /** Most are written in their order, and one of them to several nodes in turn. */
  private int placeOf(Event event) {
    if (next < events.size() && events.get(next).equals(event)) {
      return next;
    }
    if (next > 0 && events.get(next - 1).equals(event)) {
      return next - 1;
    }
    for (; placed < events.size(); placed++) {
      places.putIfAbsent(events.get(placed).id(), placed);
    }
    return places.getOrDefault(event.id(), -1);
  }

  /** Reads an event that {@link #write} has written. */
  public Event read(BinaryInput in) {
    int place = in.takeNumber(events.size()) - 1;
    if (place >= 0) {
      return events.get(place);
    }
    Event event = in.takeEvent();
    events.add(event);
    return event;
  }
}
