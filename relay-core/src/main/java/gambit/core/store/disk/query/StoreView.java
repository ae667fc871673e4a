package gambit.core.store.disk.query;

import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.log.RecordFilter;
import org.jspecify.annotations.Nullable;

/** A view of index and log for one page. One thread. */
public interface StoreView extends AutoCloseable {
  IndexView index();

  /** The event with that offset if it is stored and matches, else null. */
  @Nullable StoredEvent event(long offset, RecordFilter filter);

  @Override
  void close();
}
