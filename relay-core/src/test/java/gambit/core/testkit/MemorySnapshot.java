package gambit.core.testkit;

import gambit.core.model.Filter;
import gambit.core.negentropy.ItemSet;
import gambit.core.negentropy.ListItemSet;
import gambit.core.negentropy.Position;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * A copy of the events of a {@link MemoryEventStore}, in serving order. Each set of items is sorted
 * anew.
 */
record MemorySnapshot(List<StoredEvent> all) implements StoreSnapshot {
  @Override
  public ItemSet items(IntPredicate kinds) {
    return ListItemSet.of(
        all.stream()
            .map(StoredEvent::event)
            .filter(event -> kinds.test(event.kind()))
            .map(event -> new Position(event.createdAt(), event.id()))
            .toList());
  }

  @Override
  public List<StoredEvent> find(Filter filter, int max) {
    return firstMatching(all.iterator(), stored -> filter.matches(stored.event()), max);
  }

  @Override
  public List<StoredEvent> expired(long seconds, int max) {
    return firstMatching(all.iterator(), stored -> stored.expiresAt() <= seconds, max);
  }

  /** The first events that meet a condition. */
  static List<StoredEvent> firstMatching(
      Iterator<StoredEvent> from, Predicate<StoredEvent> condition, int max) {
    List<StoredEvent> found = new ArrayList<>();
    while (from.hasNext() && found.size() < max) {
      StoredEvent stored = from.next();
      if (condition.test(stored)) {
        found.add(stored);
      }
    }
    return found;
  }

  @Override
  public long examined() {
    return all.size();
  }

  @Override
  public void close() {}
}
