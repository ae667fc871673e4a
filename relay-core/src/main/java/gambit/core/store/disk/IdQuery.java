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
 * Looks up each id of a filter, then returns the events found in serving order. Between pages it
 * keeps the offsets of the events, not the events. One thread at a time.
 */
final class IdQuery implements Query {
  private static final Comparator<Match> ORDER =
      Comparator.<Match>comparingLong(view -> -view.createdAt).thenComparing(Match::id);

  private final Filter filter;
  private final long upTo;
  private final Supplier<StoreView> openView;
  private final Iterator<EventId> remainingIds;
  private final List<Match> found = new ArrayList<>();
  private int served;

  private record Match(long createdAt, EventId id, long offset) {}

  IdQuery(Filter filter, Iterable<EventId> ids, long upTo, Supplier<StoreView> openView) {
    this.filter = filter;
    this.remainingIds = ids.iterator();
    this.upTo = upTo;
    this.openView = openView;
  }

  @Override
  public Page next(int max, int maxBytes, int maxExamined) {
    List<StoredEvent> events = new ArrayList<>();
    int examined = 0;
    int bytes = 0;
    try (StoreView view = openView.get()) {
      if (remainingIds.hasNext()) {
        while (remainingIds.hasNext() && examined < maxExamined) {
          examined += lookUp(remainingIds.next(), view);
        }
        found.sort(ORDER);
      }
      while (!remainingIds.hasNext()
          && served < found.size()
          && events.size() < max
          && bytes < maxBytes) {
        Match next = found.get(served++);
        examined++;
        if (IndexUpdate.contains(view.index(), next.id(), next.offset())) {
          StoredEvent stored = view.event(next.offset(), filter);
          if (stored != null) {
            events.add(stored);
            bytes += stored.event().json().length;
          }
        }
      }
    }
    return new Page(events, !remainingIds.hasNext() && served == found.size(), examined);
  }

  private int lookUp(EventId id, StoreView view) {
    int examined = 1;
    ByteBuffer prefix = view.index().keys().idPrefix(id);
    boolean more = view.index().seek(Table.ID, prefix);
    while (more && IndexKeys.startsWith(view.index().key(Table.ID), prefix)) {
      long offset = IndexKeys.lastOffset(view.index().key(Table.ID));
      StoredEvent stored = offset <= upTo ? view.event(offset, filter) : null;
      if (stored != null && stored.event().id().equals(id)) {
        found.add(new Match(stored.event().createdAt(), id, offset));
      }
      examined++;
      more = view.index().next(Table.ID);
    }
    return examined;
  }
}
