package gambit.core.store.disk;

import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;

/**
 * The only write transaction of the index. Changes are deferred until their table is read or the
 * transaction is committed, and then applied in key order, so that neighbouring keys share a
 * search.
 */
final class IndexWriter extends IndexView {
  private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

  private final Map<Table, PendingIndexChanges> pending = new EnumMap<>(Table.class);
  private final ByteBuffer key = ByteBuffer.allocateDirect(512);
  private final ByteBuffer value = ByteBuffer.allocateDirect(64);

  IndexWriter(Index index) {
    super(index, index.beginWriting());
  }

  void put(Table table, ByteBuffer key, ByteBuffer value) {
    pending(table).put(key, value);
  }

  void put(Table table, ByteBuffer key) {
    put(table, key, EMPTY);
  }

  void delete(Table table, ByteBuffer key) {
    pending(table).delete(key);
  }

  /** The deferred changes of a table, applied first if there are too many. */
  private PendingIndexChanges pending(Table table) {
    PendingIndexChanges changes = pending.get(table);
    if (changes == null) {
      changes = new PendingIndexChanges(key, value);
      pending.put(table, changes);
    } else if (changes.isFull()) {
      apply(table);
    }
    return changes;
  }

  @Override
  @Nullable ByteBuffer get(Table table, ByteBuffer key) {
    apply(table);
    return super.get(table, key);
  }

  @Override
  boolean seek(Table table, ByteBuffer key) {
    apply(table);
    return super.seek(table, key);
  }

  @Override
  boolean last(Table table) {
    apply(table);
    return super.last(table);
  }

  private void apply(Table table) {
    PendingIndexChanges changes = pending.get(table);
    if (changes != null && !changes.isEmpty()) {
      changes.apply(cursor(table));
    }
  }

  /** Applies all deferred changes. */
  void applyAll() {
    for (Table table : pending.keySet()) {
      apply(table);
    }
  }

  /** Makes the changes visible; the operating system writes them to disk later. */
  void commit() throws IOException {
    try {
      applyAll();
      closeCursors();
      txn.commit();
    } catch (LmdbNativeException.PanicException e) {
      throw new StoreFailure("the index has failed", e);
    } catch (LmdbException e) {
      throw new IndexUnusable(e);
    }
  }

  private void closeCursors() {
    cursors.values().forEach(Cursor::close);
    cursors.clear();
  }

  @Override
  public void close() {
    closeCursors();
    txn.close();
  }
}
