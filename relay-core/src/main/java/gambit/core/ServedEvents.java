package gambit.core;

import gambit.core.feature.StoredEvents;
import gambit.core.ingest.StorageRules;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The committed events of a store that are served. Thread-safe. */
public final class ServedEvents implements StoredEvents {
  /** The most entries examined for one lookup, approximately. */
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

  /** Whether they are all stored events that have not expired. */
  public boolean areAllUnexpired() {
    return !rules.hidesVanished();
  }

  /**
   * Passes on the events that match a filter, newest first, up to its limit, on this thread; those
   * that are committed meanwhile may be missing.
   *
   * @param receiver returns false to end
   */
  public void forEach(Filter filter, Predicate<Event> receiver) {
    Query query = store.query(filter, store.lastOffset());
    long left = filter.limit() == null ? Long.MAX_VALUE : filter.limit();
    boolean goesOn = left > 0 && !filter.isImpossible();
    while (goesOn) {
      Page page = query.next((int) Math.min(left, PAGE_EVENTS), PAGE_BYTES);
      for (StoredEvent stored : page.found()) {
        if (goesOn && left > 0 && isServed(stored)) {
          left--;
          goesOn = receiver.test(stored.event());
        }
      }
      goesOn &= left > 0 && !page.isLast();
    }
  }

  @Override
  public List<Event> find(Filter filter, int max) {
    List<Event> found = new ArrayList<>();
    Query query = store.query(filter, store.lastOffset());
    int examined = 0;
    boolean isLast = false;
    while (found.size() < max && !isLast && examined < MAX_EXAMINED_ENTRIES) {
      Page page = query.next(max - found.size(), Integer.MAX_VALUE);
      page.found().stream().filter(this::isServed).map(StoredEvent::event).forEach(found::add);
      examined += page.examined() + 1;
      isLast = page.isLast();
    }
    return found;
  }
}
