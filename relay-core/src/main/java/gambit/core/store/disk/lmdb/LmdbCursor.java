package gambit.core.store.disk.lmdb;

import gambit.core.store.disk.lmdb.Lmdb.Function;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A cursor on a table. That of a transaction that reads can be renewed with it; that of one that
 * writes must be closed before the transaction ends. One thread.
 */
public final class LmdbCursor implements AutoCloseable {
  private static final int LAST = 6;
  private static final int NEXT = 8;
  private static final int PREVIOUS = 12;
  private static final int AT_KEY = 15;
  private static final int FROM_KEY = 17;

  private final LmdbTransaction transaction;
  private final LmdbEntry entry = new LmdbEntry();
  private long handle; // 0 once it is closed

  LmdbCursor(LmdbTransaction transaction, long handle) {
    this.transaction = transaction;
    this.handle = handle;
  }

  private long open() {
    transaction.active();
    if (handle == 0) {
      throw new LmdbException("the cursor is closed");
    }
    return handle;
  }

  private boolean move(int operation) {
    try {
      return Lmdb.isFound(Function.CURSOR_GET.call(open(), entry.key(), entry.value(), operation));
    } finally {
      Reference.reachabilityFence(entry);
    }
  }

  /** Moves to the first entry whose key is at or after the given one, if there is one. */
  public boolean seek(ByteBuffer key) {
    entry.setKey(key);
    return move(FROM_KEY);
  }

  public boolean next() {
    return move(NEXT);
  }

  public boolean previous() {
    return move(PREVIOUS);
  }

  public boolean last() {
    return move(LAST);
  }

  /** The key at the cursor, in the map; valid until the cursor is moved. */
  public ByteBuffer key() {
    transaction.requireActive();
    return entry.returnedKey();
  }

  /** The value at the cursor, in the map; valid until the cursor is moved. */
  public ByteBuffer value() {
    transaction.requireActive();
    return entry.returnedValue();
  }

  /** The first two bytes of the value, which has no fewer: faster than {@link #value}. */
  public short shortValue() {
    transaction.requireActive();
    return entry.returnedShort();
  }

  /** Puts an entry, and moves to it. */
  public void put(NativeBuffer key, NativeBuffer value) {
    entry.set(key, value);
    try {
      Lmdb.check(Function.CURSOR_PUT.call(open(), entry.key(), entry.value(), 0));
    } finally {
      Reference.reachabilityFence(entry);
      Reference.reachabilityFence(key);
      Reference.reachabilityFence(value);
    }
  }

  /** Deletes the entry of a key, if there is one. */
  public void delete(NativeBuffer key) {
    entry.set(key, key);
    try {
      if (move(AT_KEY)) {
        Lmdb.check(Function.CURSOR_DEL.call(open(), 0));
      }
    } finally {
      Reference.reachabilityFence(key);
    }
  }

  /** Uses the cursor in its transaction again, which was renewed. */
  public void renew() {
    Lmdb.check(Function.CURSOR_RENEW.call(transaction.active(), open()));
  }

  /** Closing a closed cursor does nothing. */
  @Override
  public void close() {
    if (handle != 0 && !transaction.hasFreedCursors()) {
      Function.CURSOR_CLOSE.call(handle);
    }
    handle = 0;
  }
}
