package gambit.core.store.disk.query;

import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordFilter;
import org.jspecify.annotations.Nullable;

/**
 * The view of one page, or of a snapshot. The index snapshot is taken first, so that the log
 * contains every record in it.
 */
public record CommittedView(IndexView reader, LogView view) implements StoreView {
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
