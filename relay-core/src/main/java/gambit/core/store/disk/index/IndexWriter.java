package gambit.core.store.disk.index;

import gambit.core.store.disk.lmdb.LmdbTransaction;
import java.nio.ByteBuffer;

/**
 * The only write transaction of the index. Its changes are kept in memory; a commit adds them to
 * those that LMDB does not have yet ({@link IndexMemory}). They are sorted when their table is read
 * or the transaction is committed.
 */
public final class IndexWriter extends IndexView {
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final PendingChanges[] pending = new PendingChanges[Table.values().length];
  private final IndexUpdate update;
  private boolean isOpen;

  IndexWriter(Index index, LmdbTransaction txn) {
    super(index, txn);
    for (int i = 0; i < pending.length; i++) {
      pending[i] = new PendingChanges();
    }
    update = new IndexUpdate(this);
  }

  public IndexUpdate update() {
    return update;
  }

  public void put(Table table, ByteBuffer key, ByteBuffer value) {
    pending[table.index()].add(IndexChange.put(key, value));
  }

  public void put(Table table, ByteBuffer key) {
    put(table, key, EMPTY);
  }

  public void delete(Table table, ByteBuffer key) {
    pending[table.index()].add(IndexChange.deletion(key));
  }

  @Override
  void addChanges(TableCursor shown, Table table) {
    super.addChanges(shown, table);
    pending[table.index()].addTo(shown);
  }

  @Override
  public TableCursor cursor(Table table) {
    if (pending[table.index()].sort()) {
      setChanged();
    }
    return super.cursor(table);
  }

  /** Makes the changes visible to transactions that begin later. */
  public void commit() {
    for (PendingChanges changes : pending) {
      changes.sort();
    }
    IndexRun run = IndexRun.of(pending);
    if (run.size() > 0) {
      index().memory().add(run);
    }
    clear();
  }

  private void clear() {
    for (PendingChanges changes : pending) {
      changes.clear();
    }
    setChanged();
  }

  @Override
  void renew() {
    super.renew();
    update.clear();
    isOpen = true;
  }

  /** Discards the changes that are not committed. Closing a closed transaction does nothing. */
  @Override
  public void close() {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    clear();
    reset();
    index().recycleWriter(this);
  }
}
