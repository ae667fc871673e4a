package gambit.core.store.disk.index;

import gambit.core.files.Directories;
import gambit.core.store.StoreFailure;
import gambit.core.store.disk.lmdb.LmdbCursor;
import gambit.core.store.disk.lmdb.LmdbEnvironment;
import gambit.core.store.disk.lmdb.LmdbException;
import gambit.core.store.disk.lmdb.LmdbTransaction;
import gambit.core.store.disk.lmdb.NativeBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of the log's records: LMDB, and in memory the changes that it does not have yet. LMDB
 * is not synced while it is open: it survives a killed process, after which the rest of the log is
 * replayed, but not a crash of the machine, after which it is rebuilt.
 *
 * <p>It does not use {@code MDB_WRITEMAP}: on a full disk, a write to a sparse map would kill the
 * process instead of returning an error. The map is virtual; the file grows as needed.
 */
public final class Index implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Index.class);

  /**
   * The largest size of the index. Where the address space is smaller, as on arm64 with 39 bits, an
   * eighth of it is tried, and so on down to the least.
   */
  private static final long MAX_MAP_BYTES = 1L << 40;

  private static final long MIN_MAP_BYTES = 1L << 34;
  private static final int NO_MEMORY = 12;

  public static final int MAX_READERS = 512;

  /**
   * The format of the tables, to be raised with every change of their keys and values; an index of
   * another format is rebuilt.
   */
  private static final int FORMAT = 1;

  private static final int HASH_KEY_BYTES = 16;

  private static final int MAX_KEY_BYTES = 512;

  /** Of a block of {@link Table#ID_SUM} whose events all have different kinds. */
  private static final int MAX_VALUE_BYTES = IdSumUpdate.MAX_EVENTS * KindSums.BYTES_PER_KIND;

  private final LmdbEnvironment env;
  private final int[] tables = new int[Table.values().length]; // their numbers in LMDB
  private final ConcurrentLinkedQueue<IndexView> idleReaders = new ConcurrentLinkedQueue<>();
  private final Object flushLock = new Object();
  private final NativeBuffer flushedKey = new NativeBuffer(MAX_KEY_BYTES); // flush lock
  private final NativeBuffer flushedValue = new NativeBuffer(MAX_VALUE_BYTES); // flush lock
  private final Hashing hashing;
  private final IndexMemory memory;
  private @Nullable IndexWriter idleWriter; // guarded by the store's write lock
  private final AtomicLong flushes = new AtomicLong();

  /** Opens or creates the index; a null hashing stands for the keyed hash. */
  public Index(Path directory, @Nullable Hashing hashing) throws IOException {
    Directories.createPrivate(directory);
    env = open(directory, MAX_MAP_BYTES);
    try {
      try (LmdbTransaction txn = env.beginWriting()) {
        for (Table table : Table.values()) {
          tables[table.index()] = txn.openTable(table.name());
        }
        txn.commit();
      }
      this.hashing = hashing == null ? new Hashing(hashKey()) : hashing;
      requireFormat();
      try (LmdbTransaction txn = env.beginReading()) {
        memory = new IndexMemory(txn.id());
      }
    } catch (LmdbException e) {
      env.close();
      throw new Unusable(e);
    } catch (Unusable e) {
      env.close();
      throw e;
    }
  }

  private static LmdbEnvironment open(Path directory, long mapBytes) throws Unusable {
    try {
      return LmdbEnvironment.open(directory, mapBytes, Table.values().length, MAX_READERS);
    } catch (LmdbException e) {
      if (e.code() == NO_MEMORY && mapBytes > MIN_MAP_BYTES) {
        return open(directory, mapBytes / 8);
      }
      throw new Unusable(e);
    }
  }

  /** Checks the number of the format; a new index gets it. */
  private void requireFormat() throws Unusable {
    byte[] found = meta("format", ByteBuffer.allocate(Integer.BYTES).putInt(FORMAT).array());
    int format = found.length == Integer.BYTES ? ByteBuffer.wrap(found).getInt() : 0;
    if (format != FORMAT) {
      throw new Unusable(
          "the index has format " + format + "; this version of Gambit uses format " + FORMAT);
    }
  }

  /** The value of a name in {@link Table#META}; a new index gets the given one. */
  private byte[] meta(String name, byte[] first) {
    try (LmdbTransaction txn = env.beginWriting()) {
      ByteBuffer stored = txn.get(number(Table.META), metaKey(name));
      if (stored != null) {
        return IndexKeys.bytes(stored);
      }
      txn.put(number(Table.META), metaKey(name), ByteBuffer.wrap(first));
      txn.commit();
      return first;
    }
  }

  /** Deletes the index but not its directory, which may be a mount point or a link. */
  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve("data.mdb"));
    Files.deleteIfExists(directory.resolve("lock.mdb"));
  }

  private byte[] hashKey() {
    byte[] key = new byte[HASH_KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return meta("hash key", key);
  }

  public static ByteBuffer metaKey(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  public Hashing hashing() {
    return hashing;
  }

  public int number(Table table) {
    return tables[table.index()];
  }

  public IndexMemory memory() {
    return memory;
  }

  public long flushes() {
    return flushes.get();
  }

  public LmdbTransaction beginStoring() {
    try {
      return env.beginWriting();
    } catch (LmdbException e) {
      throw unlessFailed(e);
    }
  }

  /** Returns the exception, unless the index has failed until another process opens it. */
  private static LmdbException unlessFailed(LmdbException e) {
    if (e.isPanic()) {
      throw new StoreFailure("the index has failed", e);
    }
    return e;
  }

  /** Begins a transaction that changes the last commit. One at a time, to be closed. */
  public IndexWriter beginWriting() {
    IndexWriter writer = idleWriter;
    idleWriter = null;
    return memory.show(writer != null ? writer : new IndexWriter(this, beginIdle()));
  }

  void recycleWriter(IndexWriter writer) {
    idleWriter = writer;
  }

  /** A view of the last commit, to be closed soon. Any thread. */
  public IndexView beginReading() {
    return memory.show(idleReader());
  }

  /** A view of LMDB alone, as of the last flush, to be closed soon. Any thread. */
  public IndexView beginReadingStored() {
    IndexView reader = idleReader();
    reader.renew();
    return reader;
  }

  private IndexView idleReader() {
    IndexView reader = idleReaders.poll();
    return reader != null ? reader : new IndexView(this, beginIdle());
  }

  private LmdbTransaction beginIdle() {
    try {
      LmdbTransaction txn = env.beginReading();
      txn.reset();
      return txn;
    } catch (LmdbException e) {
      throw unlessFailed(e);
    }
  }

  void recycle(IndexView reader) {
    idleReaders.add(reader);
  }

  /**
   * Applies all changes to LMDB that were committed before the call. Any thread; callers wait for
   * each other.
   *
   * @throws IOException when LMDB cannot take them, for instance on a full disk; nothing is lost
   */
  public void flush() throws IOException {
    synchronized (flushLock) {
      boolean isLeft = memory.isFrozen(); // by a flush that failed
      store(memory.freeze());
      if (isLeft) {
        store(memory.freeze());
      }
    }
  }

  /** Flushes if the changes take that much memory, also after a flush that is under way. */
  void flushFrom(long bytes) throws IOException {
    if (memory.bytes() >= bytes) {
      synchronized (flushLock) {
        if (memory.bytes() >= bytes) {
          flush();
        }
      }
    }
  }

  private void store(IndexRuns changes) throws IOException {
    if (changes.isEmpty()) {
      return;
    }
    boolean isStored = false;
    try (LmdbTransaction txn = beginStoring()) {
      memory.beginFlush(txn.id());
      // Without a change, the transaction's id would be used again.
      ByteBuffer id = ByteBuffer.allocate(Long.BYTES).putLong(0, txn.id());
      txn.put(number(Table.META), metaKey("flush"), id);
      IndexRuns.Run run = changes.merged();
      for (Table table : Table.values()) {
        apply(run, table, txn);
      }
      txn.commit();
      isStored = true;
    } catch (LmdbException e) {
      throw new Unusable(unlessFailed(e));
    } finally {
      if (isStored) {
        memory.endFlush();
        flushes.incrementAndGet();
      } else {
        memory.cancelFlush();
      }
    }
  }

  /** Applies the changes of one table to LMDB, in the order of keys. */
  private void apply(IndexRuns.Run changes, Table table, LmdbTransaction txn) {
    if (changes.start(table) == changes.end(table)) {
      return;
    }
    try (LmdbCursor cursor = txn.cursor(number(table))) {
      for (int i = changes.start(table); i < changes.end(table); i++) {
        byte[] change = changes.get(i);
        IndexChange.putKey(change, flushedKey.bytes());
        if (IndexChange.isDeletion(change)) {
          cursor.delete(flushedKey);
        } else {
          IndexChange.putValue(change, flushedValue.bytes());
          cursor.put(flushedKey, flushedValue);
        }
      }
    }
  }

  public void sync() throws IOException {
    flush();
    try {
      env.sync();
    } catch (LmdbException e) {
      throw new Unusable(e);
    }
  }

  /** Applies the last changes and closes the index, which must not be in use. */
  @Override
  public void close() {
    try {
      flush();
    } catch (IOException e) {
      LOG.warn("The last changes of the index are made again at the next start", e);
    }
    IndexView reader = idleReaders.poll();
    while (reader != null) {
      reader.closeTransaction();
      reader = idleReaders.poll();
    }
    if (idleWriter != null) {
      idleWriter.closeTransaction();
    }
    env.close();
  }

  /** LMDB cannot open, read or write the index, or the index has another format. */
  public static final class Unusable extends IOException {
    Unusable(Exception cause) {
      super("the index cannot be used", cause);
    }

    Unusable(String message) {
      super(message);
    }
  }
}
