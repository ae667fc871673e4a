package gambit.core.store.disk;

import gambit.core.store.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * The view of one page, or of a snapshot. The index snapshot is taken first, so that the log
 * contains every record in it.
 */
record CommittedView(IndexReader reader, LogView view) implements StoreView {
  @Override
  public IndexView index() {
    return reader;
  }

  @Override
  public @Nullable StoredEvent event(long offset, RecordFilter filter) {
    return view.event(offset, filter);
  }

  @Override
  public void close() {
    view.close();
    reader.close();
  }
}
