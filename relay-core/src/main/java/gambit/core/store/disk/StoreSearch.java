package gambit.core.store.disk;

import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Searches in a view that stays open: a transaction or a snapshot. */
final class StoreSearch {
  private static final RecordFilter ANY =
      new RecordFilter(new Filter(null, null, null, Map.of(), null, null, null));

  private StoreSearch() {}

  /**
   * Stored events that match, newest first.
   *
   * @param view a view whose {@code close} does nothing
   */
  static List<StoredEvent> find(Filter filter, int max, StoreView view) {
    Query query = DiskEventStore.query(filter, Long.MAX_VALUE, () -> view);
    List<StoredEvent> found = new ArrayList<>();
    Page page;
    do {
      page = query.next(max - found.size(), Integer.MAX_VALUE);
      found.addAll(page.found());
    } while (!page.isLast() && found.size() < max);
    return found;
  }

  /** Stored events that expire at the given time or earlier. */
  static List<StoredEvent> expired(long seconds, int max, StoreView view) {
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
  static List<StoredEvent> oldest(int max, StoreView view) {
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
