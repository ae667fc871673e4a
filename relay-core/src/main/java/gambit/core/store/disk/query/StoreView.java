package gambit.core.store.disk.query;

import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.log.RecordFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A view of index and log: for one page, or of a transaction or a snapshot, which searches in it
 * while it stays open. One thread.
 */
public abstract class StoreView implements AutoCloseable {
  private static final RecordFilter ANY =
      new RecordFilter(new Filter(null, null, null, Map.of(), null, null, null));

  public abstract IndexView index();

  /** The event with that offset if it is stored and matches, else null. */
  public abstract @Nullable StoredEvent event(long offset, RecordFilter filter);

  @Override
  public abstract void close();

  /** A query whose pages are read from views that the caller opens and closes. */
  interface ViewQuery {
    /** The next page, with the bounds of {@link Query#next}. */
    Page next(StoreView view, int max, int maxBytes);
  }

  /** Begins a query, whose {@code limit} is ignored; each page opens a view of its own. */
  public static Query begin(Filter filter, long upTo, Supplier<StoreView> openView) {
    ViewQuery query = begin(filter, upTo);
    return (max, maxBytes) -> {
      try (StoreView view = openView.get()) {
        return query.next(view, max, maxBytes);
      }
    };
  }

  private static ViewQuery begin(Filter filter, long upTo) {
    return filter.ids() == null
        ? new MergingQuery(filter, upTo)
        : new IdQuery(filter, filter.ids(), upTo);
  }

  public List<StoredEvent> find(Filter filter, int max) {
    ViewQuery query = begin(filter, Long.MAX_VALUE);
    List<StoredEvent> found = new ArrayList<>();
    Page page;
    do {
      page = query.next(this, max - found.size(), Integer.MAX_VALUE);
      found.addAll(page.found());
    } while (!page.isLast() && found.size() < max);
    return found;
  }

  public List<StoredEvent> expired(long seconds, int max) {
    IndexView index = index();
    List<StoredEvent> events = new ArrayList<>();
    boolean more = index.seek(Table.EXPIRY, index.keys().expiryKey(0, 0));
    while (more && events.size() < max && IndexKeys.seconds(index.key(Table.EXPIRY)) <= seconds) {
      addIfIntact(IndexKeys.lastOffset(index.key(Table.EXPIRY)), events);
      more = index.next(Table.EXPIRY);
    }
    return events;
  }

  public List<StoredEvent> oldest(int max, @Nullable StoredEvent after) {
    IndexView index = index();
    List<StoredEvent> events = new ArrayList<>();
    boolean more =
        after != null && index.seek(Table.TIME, index.keys().timeKey(after))
            ? index.previous(Table.TIME)
            : index.last(Table.TIME);
    while (more && events.size() < max) {
      addIfIntact(IndexKeys.lastOffset(index.key(Table.TIME)), events);
      more = index.previous(Table.TIME);
    }
    return events;
  }

  /** Skips damaged events, so that the ones after them are found. */
  private void addIfIntact(long offset, List<StoredEvent> to) {
    StoredEvent stored = event(offset, ANY);
    if (stored != null) {
      to.add(stored);
    }
  }
}
