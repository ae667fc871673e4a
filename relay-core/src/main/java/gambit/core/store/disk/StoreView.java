package gambit.core.store.disk;

import gambit.core.model.Filter;
import gambit.core.store.StoredEvent;
import org.jspecify.annotations.Nullable;

/** The index and the log together, for the time of a page. One thread. */
interface StoreView extends AutoCloseable {
  IndexView index();

  /** The event of that offset if it is there and matches. */
  @Nullable StoredEvent event(long offset, Filter filter);

  @Override
  void close();
}
