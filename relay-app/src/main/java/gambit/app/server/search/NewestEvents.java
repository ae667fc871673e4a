package gambit.app.server.search;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The events that were added to an index last, by which the store that it was made of is recognized
 * again: another store does not have them, or has them at other offsets. Owned by the thread that
 * changes the index.
 */
final class NewestEvents {
  /** So many that hardly ever all of them have been removed since. */
  private static final int MAX = 16;

  private final Map<EventId, Long> offsets = new LinkedHashMap<>(); // the oldest first

  void add(StoredEvent stored) {
    add(stored.event().id(), stored.offset());
  }

  private void add(EventId id, long offset) {
    if (offsets.size() == MAX) {
      offsets.remove(offsets.keySet().iterator().next());
    }
    offsets.put(id, offset);
  }

  /** Reads what {@link #toString} has written. */
  static NewestEvents read(String text) {
    NewestEvents read = new NewestEvents();
    for (String event : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      String[] parts = event.split("@", -1);
      if (parts.length != 2) {
        throw new IllegalArgumentException("expected id@offset, not " + event);
      }
      read.add(EventId.ofHex(parts[0]), Long.parseLong(parts[1]));
    }
    return read;
  }

  /** Whether the store has one of the events at its offset; true if there are none. */
  boolean isOneIn(EventStore store) {
    Query query =
        store.query(
            new Filter(offsets.keySet(), null, null, Map.of(), null, null, null),
            store.lastOffset());
    boolean isFound = offsets.isEmpty();
    boolean isLast = isFound;
    while (!isFound && !isLast) {
      Page page = query.next(MAX, Integer.MAX_VALUE);
      isFound =
          page.found().stream()
              .anyMatch(it -> Long.valueOf(it.offset()).equals(offsets.get(it.event().id())));
      isLast = page.isLast();
    }
    return isFound;
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(" ");
    offsets.forEach((id, offset) -> text.add(id.hex() + "@" + offset));
    return text.toString();
  }
}
