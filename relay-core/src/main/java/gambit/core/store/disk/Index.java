package gambit.core.store.disk;

import gambit.core.store.StoreFailure;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.CopyFlags;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;
import org.lmdbjava.Txn;

/**
 * The LMDB environment that finds records in the log. It is never synced while it runs: a killed
 * process leaves it whole, a crashed machine does not, and then it is made again.
 *
 * <p>No {@code MDB_WRITEMAP}: on a full disk, writing into a sparse map would kill the process; so
 * it is an error code. The map is virtual; the file grows as needed.
 */
final class Index implements AutoCloseable {
  private static final long MAP_BYTES = 1L << 40;

  /** Read transactions at once at most. */
  static final int MAX_READERS = 512;

  private static final int HASH_KEY_BYTES = 16;
  private static final String DATA_FILE = "data.mdb";
  private static final String COMPACT_DIRECTORY = "compact";

  private final Path directory;
  private final Env<ByteBuffer> env;
  private final Map<Table, Dbi<ByteBuffer>> tables = new EnumMap<>(Table.class);
  private final ConcurrentLinkedQueue<IndexReader> idleReaders = new ConcurrentLinkedQueue<>();
  private final Hashing hashing;

  /**
   * Opens the index, or begins one.
   *
   * @param hashing null for the real one
   * @throws IndexUnusable when LMDB cannot open it
   */
  Index(Path directory, @Nullable Hashing hashing) throws IOException {
    if (!Files.isDirectory(directory)) { // which may be a link
      Files.createDirectories(directory);
    }
    this.directory = directory;
    File file = directory.toFile();
    try {
      env =
          Env.create()
              .setMapSize(MAP_BYTES)
              .setMaxDbs(Table.values().length)
              .setMaxReaders(MAX_READERS)
              .open(file, EnvFlags.MDB_NOSYNC, EnvFlags.MDB_NOTLS);
    } catch (LmdbException e) {
      throw new IndexUnusable(e);
    }
    try {
      for (Table table : Table.values()) {
        tables.put(table, env.openDbi(table.name(), DbiFlags.MDB_CREATE));
      }
      this.hashing = hashing == null ? Hashing.keyed(hashKey()) : hashing;
    } catch (LmdbException e) {
      env.close();
      throw new IndexUnusable(e);
    }
  }

  /** Deletes the index, but not its directory, which may be on a disk of its own. */
  static void delete(Path directory) throws IOException {
    deleteFiles(directory.resolve(COMPACT_DIRECTORY));
    Files.deleteIfExists(directory.resolve(COMPACT_DIRECTORY));
    deleteFiles(directory);
  }

  private static void deleteFiles(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(DATA_FILE));
    Files.deleteIfExists(directory.resolve("lock.mdb"));
  }

  /** Writes a copy of it beside it, in which all pages are full. */
  void copyCompact() throws IOException {
    Path compact = directory.resolve(COMPACT_DIRECTORY);
    Files.createDirectories(compact);
    try {
      env.copy(compact.toFile(), CopyFlags.MDB_CP_COMPACT);
    } catch (LmdbException e) {
      deleteFiles(compact);
      throw new IndexUnusable(e);
    }
  }

  /** Puts the copy in the place of an index that is closed. */
  static void replaceWithCompactCopy(Path directory) throws IOException {
    Files.move(
        directory.resolve(COMPACT_DIRECTORY).resolve(DATA_FILE),
        directory.resolve(DATA_FILE),
        StandardCopyOption.ATOMIC_MOVE);
    Files.delete(directory.resolve(COMPACT_DIRECTORY));
    Directories.sync(directory);
  }

  private byte[] hashKey() {
    try (Txn<ByteBuffer> txn = env.txnWrite()) {
      ByteBuffer name = metaKey("hash key");
      ByteBuffer stored = dbi(Table.META).get(txn, name);
      byte[] key = new byte[HASH_KEY_BYTES];
      if (stored != null) {
        stored.get(0, key);
      } else {
        new SecureRandom().nextBytes(key);
        ByteBuffer value = ByteBuffer.allocateDirect(HASH_KEY_BYTES).put(key).flip();
        dbi(Table.META).put(txn, name, value);
        txn.commit();
      }
      return key;
    }
  }

  /** A direct buffer with the name of something that the index knows of itself. */
  static ByteBuffer metaKey(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  Hashing hashing() {
    return hashing;
  }

  Dbi<ByteBuffer> dbi(Table table) {
    Dbi<ByteBuffer> dbi = tables.get(table);
    if (dbi == null) {
      throw new IllegalStateException("every table is opened");
    }
    return dbi;
  }

  Txn<ByteBuffer> beginWriting() {
    try {
      return env.txnWrite();
    } catch (LmdbNativeException.PanicException e) {
      throw new StoreFailure("the index cannot go on", e);
    }
  }

  /** A look at the last commit, to be closed soon. Any thread. */
  IndexReader beginReading() {
    IndexReader reader = idleReaders.poll();
    try {
      if (reader == null) {
        return new IndexReader(this, env.txnRead());
      }
      reader.renew();
      return reader;
    } catch (LmdbNativeException.PanicException e) {
      throw new StoreFailure("the index cannot go on", e);
    }
  }

  void recycle(IndexReader reader) {
    idleReaders.add(reader);
  }

  /** Makes everything durable. */
  void sync() throws IOException {
    try {
      env.sync(true);
    } catch (LmdbException e) {
      throw new IndexUnusable(e);
    }
  }

  /** Nobody may be using it any more. */
  @Override
  public void close() {
    IndexReader reader = idleReaders.poll();
    while (reader != null) {
      reader.closeTransaction();
      reader = idleReaders.poll();
    }
    env.close();
  }
}
