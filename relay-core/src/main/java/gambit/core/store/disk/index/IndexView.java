package gambit.core.store.disk.index;

import gambit.core.store.disk.index.IndexMemory.Layers;
import gambit.core.store.disk.lmdb.LmdbTransaction;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The index as of one commit, with a cursor for each table used: a read transaction of LMDB, and
 * the changes of later commits over it. One thread.
 */
public class IndexView implements AutoCloseable {
  private final Index index;
  private final IndexKeys keys;
  private final LmdbTransaction txn;
  private final @Nullable TableCursor[] cursors = new TableCursor[Table.values().length];
  private Layers layers;
  private long seeks;
  private long steps;
  private int changed; // the number of times that the changes were replaced
  private int renewed; // the number of times that the transaction was renewed

  /** Begins a read transaction, on no commit yet. */
  IndexView(Index index, LmdbTransaction txn) {
    this.index = index;
    this.keys = new IndexKeys(index.hashing());
    this.txn = txn;
    this.layers = Layers.NONE;
  }

  public Index index() {
    return index;
  }

  public IndexKeys keys() {
    return keys;
  }

  /** The number of searches for a key by this view and the former uses of its transaction. */
  public long seeks() {
    return seeks;
  }

  /** The number of moves to a next entry, counted like {@link #seeks}. */
  public long steps() {
    return steps;
  }

  LmdbTransaction txn() {
    return txn;
  }

  /** Shows these changes over LMDB's entries. */
  void show(Layers changes) {
    if (changes.isEmpty() && layers.isEmpty()) {
      return;
    }
    layers = changes;
    setChanged();
  }

  /** Adds the changes of a table over LMDB's entries to those that a cursor shows. */
  void addChanges(TableCursor shown, Table table) {
    layers.older().addTo(shown, table);
    layers.newer().addTo(shown, table);
  }

  /** The value of a key, or null; valid until the next call. */
  public @Nullable ByteBuffer get(Table table, ByteBuffer key) {
    seeks++;
    TableCursor cursor = cursor(table);
    byte[] change = cursor.find(key);
    if (change != null) {
      return IndexChange.isDeletion(change) ? null : cursor.valueOf(change);
    }
    return txn.get(index.number(table), key);
  }

  /** Moves to the first entry at or after a key; returns false if there is none. */
  public boolean seek(Table table, ByteBuffer key) {
    seeks++;
    return cursor(table).seek(key);
  }

  public boolean next(Table table) {
    return next(cursor(table));
  }

  /** Moves one of this view's cursors to the next entry; returns false if there is none. */
  public boolean next(TableCursor cursor) {
    steps++;
    return cursor.next();
  }

  public boolean previous(Table table) {
    return cursor(table).previous();
  }

  public boolean last(Table table) {
    return cursor(table).last();
  }

  public ByteBuffer key(Table table) {
    return cursor(table).key();
  }

  public ByteBuffer value(Table table) {
    return cursor(table).value();
  }

  public long storedEntries(Table table) {
    return txn.entries(index.number(table));
  }

  public TableCursor cursor(Table table) {
    TableCursor cursor = cursors[table.index()];
    if (cursor == null) {
      cursor = new TableCursor(txn.cursor(index.number(table)), renewed);
      cursors[table.index()] = cursor;
    } else if (cursor.renewed() != renewed) {
      cursor.renew(renewed);
    }
    if (cursor.version() != changed) {
      cursor.beginChanges(changed);
      addChanges(cursor, table);
    }
    return cursor;
  }

  /** Makes the cursors use changes that were replaced. */
  void setChanged() {
    changed++;
  }

  /** Begins another read transaction; each cursor is used in it again when it is needed. */
  void renew() {
    txn.renew();
    renewed++;
  }

  /** Ends the read transaction until it is renewed. */
  void reset() {
    show(Layers.NONE);
    for (TableCursor cursor : cursors) {
      if (cursor != null) {
        cursor.releaseChanges();
      }
    }
    txn.reset();
  }

  void closeTransaction() {
    for (TableCursor cursor : cursors) {
      if (cursor != null) {
        cursor.close();
      }
    }
    txn.close();
  }

  /** Returns the view to the index for reuse. */
  @Override
  public void close() {
    reset();
    index.recycle(this);
  }
}
