package gambit.core.store.disk;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Looks up each id of a filter, then serves what was found in order. Between pages it keeps where
 * the events are, not the events. One thread at a time.
 */
final class IdQuery implements Query {
  /** Ids that one page looks up. */
  private static final int SCAN = 1_000;

  private static final Comparator<Found> ORDER =
      Comparator.<Found>comparingLong(it -> -it.createdAt).thenComparing(Found::id);

  private final Filter filter;
  private final long upTo;
  private final Supplier<Reading> begin;
  private final Iterator<EventId> wanted;
  private final List<Found> found = new ArrayList<>();
  private int served;

  private record Found(long createdAt, EventId id, long offset) {}

  IdQuery(Filter filter, Iterable<EventId> ids, long upTo, Supplier<Reading> begin) {
    this.filter = filter;
    this.wanted = ids.iterator();
    this.upTo = upTo;
    this.begin = begin;
  }

  @Override
  public Page next(int max, int maxBytes) {
    List<StoredEvent> events = new ArrayList<>();
    int examined = 0;
    int bytes = 0;
    try (Reading it = begin.get()) {
      if (wanted.hasNext()) {
        while (wanted.hasNext() && examined < SCAN) {
          examined += lookUp(wanted.next(), it);
        }
        found.sort(ORDER);
      }
      while (!wanted.hasNext()
          && served < found.size()
          && events.size() < max
          && bytes < maxBytes) {
        Found next = found.get(served++);
        examined++;
        if (IndexUpdate.holds(it.index(), next.id(), next.offset())) {
          StoredEvent stored = it.event(next.offset(), filter);
          if (stored != null) {
            events.add(stored);
            bytes += stored.event().json().length;
          }
        }
      }
    }
    return new Page(events, !wanted.hasNext() && served == found.size(), examined);
  }

  private int lookUp(EventId id, Reading it) {
    int examined = 1;
    ByteBuffer prefix = it.index().keys().id(id);
    boolean more = it.index().seek(Table.ID, prefix);
    while (more && Keys.startsWith(it.index().key(Table.ID), prefix)) {
      long offset = Keys.lastOffset(it.index().key(Table.ID));
      StoredEvent stored = offset <= upTo ? it.event(offset, filter) : null;
      if (stored != null && stored.event().id().equals(id)) {
        found.add(new Found(stored.event().createdAt(), id, offset));
      }
      examined++;
      more = it.index().next(Table.ID);
    }
    return examined;
  }
}
