package gambit.core.store.disk.query;

import gambit.core.model.Filter;
import gambit.core.negentropy.ItemSet;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordFilter;
import gambit.core.store.disk.query.StoreSearch.StoreView;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The view of one page, or of a snapshot. The index snapshot is taken first, so that the log
 * contains every record in it. One thread.
 */
public final class CommittedView implements StoreView, StoreSnapshot {
  private final IndexView index;
  private final LogView log;
  private long examined; // by the sets of items

  public CommittedView(IndexView index, LogView log) {
    this.index = index;
    this.log = log;
  }

  @Override
  public IndexView index() {
    return index;
  }

  public LogView log() {
    return log;
  }

  @Override
  public @Nullable StoredEvent event(long offset, RecordFilter filter) {
    return log.event(offset, filter);
  }

  @Override
  public ItemSet items(IntPredicate kinds) {
    return new PositionItems(this, kinds);
  }

  @Override
  public List<StoredEvent> find(Filter filter, int max) {
    return StoreSearch.find(filter, max, this);
  }

  @Override
  public List<StoredEvent> expired(long seconds, int max) {
    return StoreSearch.expired(seconds, max, this);
  }

  @Override
  public long examined() {
    return examined;
  }

  /** Counts a block or an event that a set of items has examined. */
  void countExamined() {
    examined++;
  }

  @Override
  public void close() {
    log.close();
    index.close();
  }
}
