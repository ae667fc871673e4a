package gambit.core.store.disk.lmdb;

import gambit.core.store.disk.lmdb.Lmdb.Function;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A transaction. One that reads sees the tables as of its beginning; between {@link #reset} and
 * {@link #renew} it keeps its memory only. One that writes is discarded unless it is committed; it
 * must end on the thread that began it. One thread at a time.
 */
public final class LmdbTransaction implements AutoCloseable {
  private static final int CREATE = 0x40000;
  private static final int STAT_BYTES = 48;
  private static final int STAT_ENTRIES_AT = 32;

  private final LmdbEnvironment environment;
  private @Nullable LmdbEntry found; // by get
  private long handle; // 0 once it has ended
  private final boolean isReading;
  private boolean isActive = true;

  LmdbTransaction(LmdbEnvironment environment, long handle, boolean isReading) {
    this.environment = environment;
    this.handle = handle;
    this.isReading = isReading;
  }

  /** Whether LMDB has freed the cursors: it does so at the end of a transaction that writes. */
  boolean hasFreedCursors() {
    return handle == 0 && !isReading;
  }

  void requireActive() {
    if (!isActive) {
      throw new LmdbException("the transaction has ended");
    }
  }

  long active() {
    requireActive();
    environment.open();
    return handle;
  }

  /** The number of the transaction: of one that reads, that of the last one that was committed. */
  public long id() {
    return Function.TXN_ID.call(active());
  }

  /** Opens a table, or creates it; returns its number, which is valid once this is committed. */
  public int openTable(String name) {
    NativeBuffer text = Lmdb.text(name.getBytes(StandardCharsets.UTF_8));
    NativeBuffer number = Lmdb.result();
    try {
      Lmdb.check(Function.DBI_OPEN.call(active(), text.address(), CREATE, number.address()));
      return number.bytes().getInt(0);
    } finally {
      Reference.reachabilityFence(text);
    }
  }

  /** The value of a key, in the map, or null; valid until the next call. */
  public @Nullable ByteBuffer get(int table, ByteBuffer key) {
    LmdbEntry entry = found;
    if (entry == null) {
      entry = new LmdbEntry();
      found = entry;
    }
    try {
      entry.setKey(key);
      boolean isFound =
          Lmdb.isFound(Function.GET.call(active(), table, entry.key(), entry.value()));
      return isFound ? entry.returnedValue() : null;
    } finally {
      Reference.reachabilityFence(entry);
    }
  }

  /** Puts an entry; the buffers are copied. */
  public void put(int table, ByteBuffer key, ByteBuffer value) {
    try (LmdbCursor cursor = cursor(table)) {
      cursor.put(NativeBuffer.copyOf(key), NativeBuffer.copyOf(value));
    }
  }

  public long entries(int table) {
    NativeBuffer stat = new NativeBuffer(STAT_BYTES);
    stat.bytes().order(ByteOrder.nativeOrder());
    Lmdb.check(Function.STAT.call(active(), table, stat.address()));
    return stat.bytes().getLong(STAT_ENTRIES_AT);
  }

  /** A cursor at no entry yet. */
  public LmdbCursor cursor(int table) {
    NativeBuffer cursor = Lmdb.result();
    Lmdb.check(Function.CURSOR_OPEN.call(active(), table, cursor.address()));
    return new LmdbCursor(this, cursor.bytes().getLong(0));
  }

  /** Ends a transaction that reads until it is renewed. */
  public void reset() {
    Function.TXN_RESET.call(active());
    isActive = false;
  }

  /** Begins a transaction that reads again, after it was reset. */
  public void renew() {
    if (handle == 0 || isActive) {
      throw new LmdbException("the transaction is not reset");
    }
    environment.open();
    Lmdb.check(Function.TXN_RENEW.call(handle));
    isActive = true;
  }

  /** Commits a transaction, which ends also when that fails. */
  public void commit() {
    long ended = active();
    end();
    Lmdb.check(Function.TXN_COMMIT.call(ended));
  }

  private void end() {
    handle = 0;
    isActive = false;
  }

  /** Discards changes that are not committed; closing an ended transaction does nothing. */
  @Override
  public void close() {
    if (handle != 0 && environment.isOpen()) {
      Function.TXN_ABORT.call(handle);
    }
    end();
  }
}
