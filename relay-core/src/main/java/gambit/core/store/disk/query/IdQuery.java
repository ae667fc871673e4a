package gambit.core.store.disk.query;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.log.RecordFilter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks up each id of a filter, then returns the events found in serving order. The first page
 * keeps the events that it may return; between pages, only the places of events are kept. One
 * thread at a time.
 */
final class IdQuery implements StoreView.ViewQuery {
  private static final Comparator<Match> ORDER =
      Comparator.<Match>comparingLong(match -> -match.createdAt).thenComparing(match -> match.id);

  private final RecordFilter filter;
  private final long upTo;
  private final EventId[] ids; // in the order of the index, whose pages are read once
  private final List<Match> found = new ArrayList<>();
  private int lookedUp; // number of ids looked up
  private int served; // number of matches served or gone
  private int examined; // by the current page

  private static final class Match {
    private final EventId id;
    private final long createdAt;
    private final long offset;
    private @Nullable StoredEvent event; // of the same page; else it is looked up again

    Match(StoredEvent stored) {
      this.id = stored.event().id();
      this.createdAt = stored.event().createdAt();
      this.offset = stored.offset();
    }
  }

  IdQuery(Filter filter, Collection<EventId> ids, long upTo) {
    this.filter = new RecordFilter(filter);
    this.ids = ids.toArray(EventId[]::new);
    Arrays.sort(this.ids);
    this.upTo = upTo;
  }

  @Override
  public Page next(StoreView view, int max, int maxBytes) {
    examined = 0;
    lookUp(view, maxBytes);
    List<StoredEvent> events = lookedUp < ids.length ? List.of() : serve(view, max, maxBytes);
    found.forEach(match -> match.event = null);
    return new Page(events, lookedUp == ids.length && served == found.size(), examined);
  }

  private void lookUp(StoreView view, int maxBytes) {
    if (lookedUp == ids.length) {
      return;
    }
    long keptBytes = 0;
    while (lookedUp < ids.length && examined < Query.PAGE_ENTRIES) {
      StoredEvent stored = find(ids[lookedUp++], view);
      if (stored != null) {
        Match match = new Match(stored);
        found.add(match);
        if (keptBytes < maxBytes) {
          match.event = stored;
          keptBytes += stored.event().json().length;
        }
      }
    }
    found.sort(ORDER);
  }

  private List<StoredEvent> serve(StoreView view, int max, int maxBytes) {
    List<StoredEvent> events = new ArrayList<>();
    int bytes = 0;
    while (served < found.size() && events.size() < max && bytes < maxBytes) {
      Match next = found.get(served++);
      StoredEvent stored = next.event != null ? next.event : readAgain(next, view);
      if (stored != null) {
        events.add(stored);
        bytes += stored.event().json().length;
      }
    }
    return events;
  }

  private @Nullable StoredEvent readAgain(Match match, StoreView view) {
    examined++;
    return IndexUpdate.contains(view.index(), match.id, match.offset)
        ? view.event(match.offset, filter)
        : null;
  }

  /** The event with that id; ids with equal hashes follow each other. */
  private @Nullable StoredEvent find(EventId id, StoreView view) {
    examined++;
    IndexView index = view.index();
    ByteBuffer prefix = index.keys().idPrefix(id);
    boolean more = index.seek(Table.ID, prefix);
    while (more && IndexKeys.startsWith(index.key(Table.ID), prefix)) {
      long offset = IndexKeys.lastOffset(index.key(Table.ID));
      StoredEvent stored = offset <= upTo ? view.event(offset, filter) : null;
      if (stored != null && stored.event().id().equals(id)) {
        return stored;
      }
      examined++;
      more = index.next(Table.ID);
    }
    return null;
  }
}
