package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.List;

/**
 * Changes to the store that are committed together or not at all. Immutable.
 *
 * @param events events to be stored
 * @param withdrawn stored events to be removed; if one of them is no longer stored, nothing is
 *     committed: {@link WriteOutcome#GONE}
 * @param erased stored events to be removed, if they are stored, and whose bytes must be gone from
 *     the disk soon
 * @param rows rows to be set or removed, in this order
 */
public record Commit(
    List<Event> events, List<EventId> withdrawn, List<EventId> erased, List<Row> rows) {
  public Commit {
    events = List.copyOf(events);
    withdrawn = List.copyOf(withdrawn);
    erased = List.copyOf(erased);
    rows = List.copyOf(rows);
  }

  public Commit(List<Event> events, List<EventId> withdrawn, List<Row> rows) {
    this(events, withdrawn, List.of(), rows);
  }

  /** Approximate size of what it adds to the store. */
  public long addedBytes() {
    long bytes = 0;
    for (Event event : events) {
      bytes += event.json().length;
    }
    for (Row row : rows) {
      bytes += row.bytes();
    }
    return bytes;
  }

  public static Commit of(List<Event> events) {
    return new Commit(events, List.of(), List.of());
  }
}
