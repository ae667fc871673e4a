package gambit.core.store.disk.index;

import gambit.core.store.disk.lmdb.LmdbTransaction;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The only write transaction of the index. Its changes are kept in memory; a commit adds them to
 * those that LMDB does not have yet ({@link IndexMemory}). They are sorted when their table is read
 * or the transaction is committed.
 */
public final class IndexWriter extends IndexView {
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
    IndexRuns.Run run = IndexRuns.Run.of(pending);
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

  /**
   * The changes that a transaction has made to one table of the index. They are sorted when they
   * are read; then there is one for each key, the last one made. One thread.
   */
  static final class PendingChanges {
    /** So many new changes are inserted one by one into those that are sorted. */
    private static final int FEW = 8;

    /** A transaction leaves no larger array to the next one. */
    private static final int MAX_KEPT = 1 << 10;

    private static final byte[][] NOTHING = {};

    private byte[][] changes = NOTHING;
    private int size;
    private int sorted; // the number of changes at the start that are sorted

    int size() {
      return size;
    }

    void add(byte[] change) {
      if (size == changes.length) {
        changes = Arrays.copyOf(changes, Math.max(2, 2 * size));
      }
      changes[size++] = change;
    }

    /** Sorts the changes; returns false if they were sorted before. */
    boolean sort() {
      if (sorted == size) {
        return false;
      }
      if (size - sorted <= FEW) {
        insertNew();
      } else {
        sortAll();
      }
      return true;
    }

    private void insertNew() {
      int end = size;
      for (int i = sorted; i < end; i++) {
        byte[] change = changes[i];
        int found = Arrays.binarySearch(changes, 0, sorted, change, IndexChange.BY_KEY);
        int at = found < 0 ? -found - 1 : found;
        if (found < 0) {
          System.arraycopy(changes, at, changes, at + 1, sorted - at);
          sorted++;
        }
        changes[at] = change;
      }
      setSize(sorted);
    }

    private void sortAll() {
      Arrays.sort(changes, 0, size, IndexChange.BY_KEY); // stable
      int distinct = 0;
      for (int i = 0; i < size; i++) {
        if (distinct > 0 && IndexChange.compareKeys(changes[distinct - 1], changes[i]) == 0) {
          distinct--;
        }
        changes[distinct++] = changes[i];
      }
      sorted = distinct;
      setSize(distinct);
    }

    private void setSize(int fewer) {
      Arrays.fill(changes, fewer, size, null);
      size = fewer;
    }

    /** Copies the changes to an array; returns the index after the last one. */
    int copyTo(byte[][] to, int at) {
      System.arraycopy(changes, 0, to, at, size);
      return at + size;
    }

    /** Adds the sorted changes to those that a cursor shows, until they are sorted again. */
    void addTo(TableCursor shown) {
      shown.addChanges(changes, 0, sorted);
    }

    void clear() {
      if (changes.length > MAX_KEPT) {
        changes = NOTHING;
        size = 0;
      }
      setSize(0);
      sorted = 0;
    }
  }
}
