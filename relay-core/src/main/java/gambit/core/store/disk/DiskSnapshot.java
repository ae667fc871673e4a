package gambit.core.store.disk;

import gambit.core.model.Filter;
import gambit.core.negentropy.ItemSet;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.query.PositionItems;
import gambit.core.store.disk.query.StoreSearch;
import gambit.core.store.disk.query.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** A read transaction of the index with the files of the log. One thread. */
final class DiskSnapshot implements StoreSnapshot {
  private final StoreView view;
  private final List<PositionItems> sets = new ArrayList<>(1);

  DiskSnapshot(StoreView view) {
    this.view = view;
  }

  @Override
  public ItemSet items(IntPredicate kinds) {
    PositionItems items = new PositionItems(view.index(), kinds);
    sets.add(items);
    return items;
  }

  @Override
  public List<StoredEvent> find(Filter filter, int max) {
    return StoreSearch.find(filter, max, view);
  }

  @Override
  public List<StoredEvent> expired(long seconds, int max) {
    return StoreSearch.expired(seconds, max, view);
  }

  @Override
  public long examined() {
    return sets.stream().mapToLong(PositionItems::examined).sum();
  }

  @Override
  public void close() {
    view.close();
  }
}
