package gambit.core.store.disk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.lmdbjava.Txn;

/**
 * The only write transaction of the index. Its changes are kept in memory; a commit adds them to
 * those that LMDB does not have yet ({@link IndexMemory}). They are sorted when their table is read
 * or the transaction is committed.
 */
final class IndexWriter extends IndexView {
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final Map<Table, List<IndexChange>> pending = new EnumMap<>(Table.class);
  private final Map<Table, IndexRuns> sorted = new EnumMap<>(Table.class);
  private boolean isOpen;

  IndexWriter(Index index, Txn<ByteBuffer> txn) {
    super(index, txn);
  }

  void put(Table table, ByteBuffer key, ByteBuffer value) {
    pending(table).add(IndexChange.put(key, value));
  }

  void put(Table table, ByteBuffer key) {
    put(table, key, EMPTY);
  }

  void delete(Table table, ByteBuffer key) {
    pending(table).add(IndexChange.deletion(key));
  }

  private List<IndexChange> pending(Table table) {
    return pending.computeIfAbsent(table, it -> new ArrayList<>());
  }

  @Override
  IndexRuns changes(Table table) {
    return IndexRuns.concatenated(
        super.changes(table), sorted.getOrDefault(table, IndexRuns.NONE), IndexRuns.NONE);
  }

  @Override
  TableCursor cursor(Table table) {
    sort(table);
    return super.cursor(table);
  }

  private void sort(Table table) {
    List<IndexChange> changes = pending.get(table);
    if (changes != null && !changes.isEmpty()) {
      IndexRun run = IndexRun.of(changes);
      changes.clear();
      sorted.merge(table, new IndexRuns(run), IndexRuns::plus);
      setChanged();
    }
  }

  /** Makes the changes visible to transactions that begin later. */
  void commit() {
    pending.keySet().forEach(this::sort);
    index().memory().add(sorted);
    sorted.clear();
  }

  @Override
  void renew() {
    super.renew();
    isOpen = true;
  }

  /** Discards the changes that are not committed. Closing a closed transaction does nothing. */
  @Override
  public void close() {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    pending.values().forEach(List::clear);
    sorted.clear();
    reset();
    setChanged();
    index().recycle(this);
  }
}
