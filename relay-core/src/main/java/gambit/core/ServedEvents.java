package gambit.core;

import gambit.core.feature.StoredEvents;
import gambit.core.ingest.StorageRules;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The committed events of a store that are served. Thread-safe. */
public final class ServedEvents implements StoredEvents {
  private static final int MAX_EXAMINED_ENTRIES = 10_000;

  private static final int PAGE_EVENTS = 500;
  private static final int PAGE_BYTES = 1 << 20;

  private final EventStore store;
  private final StorageRules rules;
  private final InstantSource time;

  /** Those that a relay would serve to its operator, for a program that does not start it. */
  public ServedEvents(EventStore store, InstantSource time) {
    this(store, new StorageRules(store, Set.of()), time);
  }

  ServedEvents(EventStore store, StorageRules rules, InstantSource time) {
    this.store = store;
    this.rules = rules;
    this.time = time;
  }

  private boolean isServed(StoredEvent stored) {
    return rules.isServed(stored, time.instant());
  }

  /**
   * Passes on the events that match a filter, newest first, up to its limit, on this thread; those
   * that are committed meanwhile may be missing.
   *
   * @param receiver returns false to end
   */
  public void forEach(Filter filter, Predicate<Event> receiver) {
    long limit = filter.limit() == null ? Long.MAX_VALUE : filter.limit();
    if (!filter.isImpossible()) {
      read(filter, limit, PAGE_EVENTS, PAGE_BYTES, Long.MAX_VALUE, receiver);
    }
  }

  @Override
  public List<Event> find(Filter filter, int max) {
    List<Event> found = new ArrayList<>();
    read(filter, max, max, Integer.MAX_VALUE, MAX_EXAMINED_ENTRIES, found::add);
    return found;
  }

  private void read(
      Filter filter,
      long max,
      int pageEvents,
      int pageBytes,
      long maxExamined,
      Predicate<Event> receiver) {
    Query query = store.query(filter, store.lastOffset());
    long left = max;
    long examined = 0;
    while (left > 0 && examined < maxExamined) {
      Page page = query.next((int) Math.min(left, pageEvents), pageBytes);
      for (StoredEvent stored : page.found()) {
        if (left > 0 && isServed(stored)) {
          left = receiver.test(stored.event()) ? left - 1 : 0;
        }
      }
      examined += page.examined() + 1;
      left = page.isLast() ? 0 : left;
    }
  }
}
