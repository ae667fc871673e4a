package gambit.core.session;

import gambit.core.feature.EventSearch;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The events that a search has found for one filter, the best match first. Each is read from the
 * store when its page is read, and left out if it is no longer stored. Confined to the turns of a
 * {@link StoredPhase}; 8 bytes for each event.
 */
final class FoundEvents implements Query {
  private final EventStore store;
  private final EventSearch search;
  private final Filter filter;
  private final long[] offsets;
  private final BitSet sent = new BitSet(); // by the index in the offsets
  private int next;

  FoundEvents(EventStore store, EventSearch search, Filter filter, long[] offsets) {
    this.store = store;
    this.search = search;
    this.filter = filter;
    this.offsets = offsets;
  }

  /** The events are in the order in which they were found, unlike those of other queries. */
  @Override
  public Page next(int max, int maxBytes, int maxExamined) {
    List<StoredEvent> events = new ArrayList<>();
    int examined = 0;
    int bytes = 0;
    while (next < offsets.length
        && events.size() < max
        && bytes < maxBytes
        && examined < maxExamined) {
      long offset = offsets[next++];
      examined++;
      Optional<StoredEvent> stored = store.byOffset(offset);
      if (stored.isEmpty()) {
        search.forget(offset);
      } else if (filter.matches(stored.get().event())) {
        events.add(stored.get());
        bytes += stored.get().event().json().length;
      }
    }
    return new Page(events, next == offsets.length, examined);
  }

  /** Remembers that an event was sent. */
  void markSent(long offset) {
    int index = indexOf(offset);
    if (index >= 0) {
      sent.set(index);
    }
  }

  boolean hasSent(long offset) {
    int index = indexOf(offset);
    return index >= 0 && sent.get(index);
  }

  private int indexOf(long offset) {
    for (int i = 0; i < offsets.length; i++) {
      if (offsets[i] == offset) {
        return i;
      }
    }
    return -1;
  }
}
