package gambit.core.store.disk.query;

import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.Query;
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

/** Searches in a view that stays open: a transaction or a snapshot. */
public final class StoreSearch {
  private static final RecordFilter ANY =
      new RecordFilter(new Filter(null, null, null, Map.of(), null, null, null));

  private StoreSearch() {}

  /**
   * Begins a query, whose {@code limit} is ignored.
   *
   * @param openView opens the view of a page
   */
  public static Query begin(Filter filter, long upTo, Supplier<StoreView> openView) {
    return filter.ids() == null
        ? new MergingQuery(filter, upTo, openView)
        : new IdQuery(filter, filter.ids(), upTo, openView);
  }

  /** Stored events that match, newest first. The view stays open. */
  public static List<StoredEvent> find(Filter filter, int max, StoreView view) {
    Query query = begin(filter, Long.MAX_VALUE, () -> new OpenView(view));
    List<StoredEvent> found = new ArrayList<>();
    Page page;
    do {
      page = query.next(max - found.size(), Integer.MAX_VALUE);
      found.addAll(page.found());
    } while (!page.isLast() && found.size() < max);
    return found;
  }

  /** A view that a page does not close. */
  private record OpenView(StoreView view) implements StoreView {
    @Override
    public IndexView index() {
      return view.index();
    }

    @Override
    public @Nullable StoredEvent event(long offset, RecordFilter filter) {
      return view.event(offset, filter);
    }

    @Override
    public void close() {}
  }

  /** Stored events that expire at the given time or earlier. */
  public static List<StoredEvent> expired(long seconds, int max, StoreView view) {
    IndexView index = view.index();
    List<StoredEvent> events = new ArrayList<>();
    boolean more = index.seek(Table.EXPIRY, index.keys().expiryKey(0, 0));
    while (more && events.size() < max && IndexKeys.seconds(index.key(Table.EXPIRY)) <= seconds) {
      addIfIntact(IndexKeys.lastOffset(index.key(Table.EXPIRY)), view, events);
      more = index.next(Table.EXPIRY);
    }
    return events;
  }

  /** The stored events that are last in serving order. */
  public static List<StoredEvent> oldest(int max, StoreView view) {
    IndexView index = view.index();
    List<StoredEvent> events = new ArrayList<>();
    boolean more = index.last(Table.TIME);
    while (more && events.size() < max) {
      addIfIntact(IndexKeys.lastOffset(index.key(Table.TIME)), view, events);
      more = index.previous(Table.TIME);
    }
    return events;
  }

  /** Skips damaged events, so that the ones after them are found. */
  private static void addIfIntact(long offset, StoreView view, List<StoredEvent> to) {
    StoredEvent stored = view.event(offset, ANY);
    if (stored != null) {
      to.add(stored);
    }
  }
}
