package gambit.core.store.disk;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;

/** A transaction on the index, with a cursor for each table used. One thread. */
abstract class IndexView implements AutoCloseable {
  private final Index index;
  private final IndexKeys keys;
  final Txn<ByteBuffer> txn;
  final Map<Table, Cursor<ByteBuffer>> cursors = new EnumMap<>(Table.class);

  private long seeks;
  private long steps;

  IndexView(Index index, Txn<ByteBuffer> txn) {
    this.index = index;
    this.keys = new IndexKeys(index.hashing());
    this.txn = txn;
  }

  Index index() {
    return index;
  }

  /** The encoder of this transaction's keys. */
  IndexKeys keys() {
    return keys;
  }

  /** The number of searches for a key by this view and the former uses of its transaction. */
  long seeks() {
    return seeks;
  }

  /** The number of moves to a next entry, counted like {@link #seeks}. */
  long steps() {
    return steps;
  }

  /** The value of a key, or null; valid until the next call. */
  @Nullable ByteBuffer get(Table table, ByteBuffer key) {
    seeks++;
    return index.dbi(table).get(txn, key);
  }

  /**
   * Moves to the first entry whose key is at or after the given one; returns false if there is
   * none.
   */
  boolean seek(Table table, ByteBuffer key) {
    seeks++;
    return cursor(table).get(key, GetOp.MDB_SET_RANGE);
  }

  boolean next(Table table) {
    return next(cursor(table));
  }

  /** Moves one of this view's cursors to the next entry; returns false if there is none. */
  boolean next(Cursor<ByteBuffer> cursor) {
    steps++;
    return cursor.next();
  }

  boolean previous(Table table) {
    return cursor(table).prev();
  }

  boolean last(Table table) {
    return cursor(table).last();
  }

  /** The key at the table's cursor. */
  ByteBuffer key(Table table) {
    return cursor(table).key();
  }

  ByteBuffer value(Table table) {
    return cursor(table).val();
  }

  long entries(Table table) {
    return index.dbi(table).stat(txn).entries;
  }

  Cursor<ByteBuffer> cursor(Table table) {
    Cursor<ByteBuffer> cursor = cursors.get(table);
    if (cursor == null) {
      cursor = index.dbi(table).openCursor(txn);
      cursors.put(table, cursor);
    }
    return cursor;
  }

  @Override
  public abstract void close();
}
