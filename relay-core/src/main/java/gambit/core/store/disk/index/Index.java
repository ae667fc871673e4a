package gambit.core.store.disk.index;

import gambit.core.files.Directories;
import gambit.core.store.StoreFailure;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.GetOp;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;
import org.lmdbjava.Txn;
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

  private static final int PRIVATE_FILES = 0600;

  private final Env<ByteBuffer> env;
  private final Map<Table, Dbi<ByteBuffer>> tables = new EnumMap<>(Table.class);
  private final ConcurrentLinkedQueue<IndexView> idleReaders = new ConcurrentLinkedQueue<>();
  private final Object flushLock = new Object();
  private final ByteBuffer flushedKey = ByteBuffer.allocateDirect(MAX_KEY_BYTES); // flush lock
  private final ByteBuffer flushedValue = ByteBuffer.allocateDirect(MAX_VALUE_BYTES); // flush lock
  private final Hashing hashing;
  private final IndexMemory memory;
  private @Nullable IndexWriter idleWriter; // guarded by the store's write lock
  private final AtomicLong flushes = new AtomicLong();

  /** Opens or creates the index; a null hashing stands for the keyed hash. */
  public Index(Path directory, @Nullable Hashing hashing) throws IOException {
    Directories.createPrivate(directory);
    env = open(directory.toFile(), MAX_MAP_BYTES);
    try {
      for (Table table : Table.values()) {
        tables.put(table, env.openDbi(table.name(), DbiFlags.MDB_CREATE));
      }
      this.hashing = hashing == null ? new Hashing(hashKey()) : hashing;
      requireFormat();
      memory = new IndexMemory(lastTransaction());
    } catch (LmdbException e) {
      env.close();
      throw new IndexUnusable(e);
    } catch (IndexUnusable e) {
      env.close();
      throw e;
    }
  }

  private long lastTransaction() {
    try (Txn<ByteBuffer> txn = env.txnRead()) {
      return txn.getId();
    }
  }

  private static Env<ByteBuffer> open(File directory, long mapBytes) throws IndexUnusable {
    try {
      return Env.create()
          .setMapSize(mapBytes)
          .setMaxDbs(Table.values().length)
          .setMaxReaders(MAX_READERS)
          .open(directory, PRIVATE_FILES, EnvFlags.MDB_NOSYNC, EnvFlags.MDB_NOTLS);
    } catch (LmdbNativeException e) {
      if (e.getResultCode() == NO_MEMORY && mapBytes > MIN_MAP_BYTES) {
        return open(directory, mapBytes / 8);
      }
      throw new IndexUnusable(e);
    } catch (LmdbException e) {
      throw new IndexUnusable(e);
    }
  }

  /** Checks the number of the format; a new index gets it. */
  private void requireFormat() throws IndexUnusable {
    byte[] found = meta("format", ByteBuffer.allocate(Integer.BYTES).putInt(FORMAT).array());
    int format = found.length == Integer.BYTES ? ByteBuffer.wrap(found).getInt() : 0;
    if (format != FORMAT) {
      throw new IndexUnusable(
          "the index has format " + format + "; this version of Gambit uses format " + FORMAT);
    }
  }

  /** The value of a name in {@link Table#META}; a new index gets the given one. */
  private byte[] meta(String name, byte[] first) {
    try (Txn<ByteBuffer> txn = env.txnWrite()) {
      ByteBuffer stored = dbi(Table.META).get(txn, metaKey(name));
      if (stored != null) {
        return IndexKeys.bytes(stored);
      }
      ByteBuffer value = ByteBuffer.allocateDirect(first.length).put(first).flip();
      dbi(Table.META).put(txn, metaKey(name), value);
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

  /** A direct buffer with a key of {@link Table#META}. */
  public static ByteBuffer metaKey(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  public Hashing hashing() {
    return hashing;
  }

  public Dbi<ByteBuffer> dbi(Table table) {
    Dbi<ByteBuffer> dbi = tables.get(table);
    if (dbi == null) {
      throw new IllegalStateException("every table is open");
    }
    return dbi;
  }

  public IndexMemory memory() {
    return memory;
  }

  public long flushes() {
    return flushes.get();
  }

  public Txn<ByteBuffer> beginStoring() {
    try {
      return env.txnWrite();
    } catch (LmdbNativeException.PanicException e) {
      throw failure(e);
    }
  }

  private static StoreFailure failure(LmdbException e) {
    return new StoreFailure("the index has failed", e);
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

  private Txn<ByteBuffer> beginIdle() {
    try {
      Txn<ByteBuffer> txn = env.txnRead();
      txn.reset();
      return txn;
    } catch (LmdbNativeException.PanicException e) {
      throw failure(e);
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
    try (Txn<ByteBuffer> txn = beginStoring()) {
      memory.beginFlush(txn.getId());
      // Without a change, the transaction's id would be used again.
      dbi(Table.META).put(txn, metaKey("flush"), flushedValue.clear().putLong(txn.getId()).flip());
      IndexRun run = changes.merged();
      tables.forEach((table, dbi) -> apply(run, table, dbi, txn));
      txn.commit();
      isStored = true;
    } catch (LmdbNativeException.PanicException e) {
      throw failure(e);
    } catch (LmdbException e) {
      throw new IndexUnusable(e);
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
  private void apply(IndexRun changes, Table table, Dbi<ByteBuffer> dbi, Txn<ByteBuffer> txn) {
    if (changes.start(table) == changes.end(table)) {
      return;
    }
    try (Cursor<ByteBuffer> cursor = dbi.openCursor(txn)) {
      for (int i = changes.start(table); i < changes.end(table); i++) {
        byte[] change = changes.get(i);
        IndexChange.putKey(change, flushedKey);
        if (!IndexChange.isDeletion(change)) {
          cursor.put(flushedKey, IndexChange.putValue(change, flushedValue));
        } else if (cursor.get(flushedKey, GetOp.MDB_SET)) {
          cursor.delete();
        }
      }
    }
  }

  public void sync() throws IOException {
    flush();
    try {
      env.sync(true);
    } catch (LmdbException e) {
      throw new IndexUnusable(e);
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
}
