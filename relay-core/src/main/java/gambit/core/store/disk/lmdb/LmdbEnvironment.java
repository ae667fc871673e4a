package gambit.core.store.disk.lmdb;

import gambit.core.store.disk.lmdb.Lmdb.Function;
import java.lang.ref.Reference;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The files of LMDB in a directory, opened without a sync of each transaction, and with readers
 * that are bound to no thread ({@code MDB_NOSYNC}, {@code MDB_NOTLS}). Any thread; it is closed
 * when nobody uses it.
 */
public final class LmdbEnvironment implements AutoCloseable {
  private static final int NO_SYNC = 0x10000;
  private static final int READ_ONLY = 0x20000;
  private static final int NOT_THREAD_LOCAL = 0x200000;
  private static final int PRIVATE_FILES = 0600;

  private volatile long handle; // 0 once it is closed

  private LmdbEnvironment(long handle) {
    this.handle = handle;
  }

  /** Opens the files, or creates them; the map bounds their size. */
  public static LmdbEnvironment open(Path directory, long mapBytes, int maxTables, int maxReaders) {
    NativeBuffer created = Lmdb.result();
    Lmdb.check(Function.ENV_CREATE.call(created.address()));
    long handle = created.bytes().getLong(0);
    NativeBuffer path = Lmdb.text(directory.toString().getBytes(fileNames()));
    boolean isOpen = false;
    try {
      Lmdb.check(Function.ENV_SET_MAPSIZE.call(handle, mapBytes));
      Lmdb.check(Function.ENV_SET_MAXDBS.call(handle, maxTables));
      Lmdb.check(Function.ENV_SET_MAXREADERS.call(handle, maxReaders));
      int flags = NO_SYNC | NOT_THREAD_LOCAL;
      Lmdb.check(Function.ENV_OPEN.call(handle, path.address(), flags, PRIVATE_FILES));
      isOpen = true;
      return new LmdbEnvironment(handle);
    } finally {
      Reference.reachabilityFence(path);
      if (!isOpen) {
        Function.ENV_CLOSE.call(handle);
      }
    }
  }

  private static Charset fileNames() {
    String name = System.getProperty("sun.jnu.encoding", "");
    return !name.isEmpty() && Charset.isSupported(name)
        ? Charset.forName(name)
        : StandardCharsets.UTF_8;
  }

  boolean isOpen() {
    return handle != 0;
  }

  long open() {
    long open = handle;
    if (open == 0) {
      throw new LmdbException("the environment is closed");
    }
    return open;
  }

  public LmdbTransaction beginReading() {
    return begin(READ_ONLY);
  }

  /** Begins a transaction that writes, when the one before has ended. */
  public LmdbTransaction beginWriting() {
    return begin(0);
  }

  private LmdbTransaction begin(int flags) {
    NativeBuffer transaction = Lmdb.result();
    Lmdb.check(Function.TXN_BEGIN.call(open(), 0, flags, transaction.address()));
    return new LmdbTransaction(this, transaction.bytes().getLong(0), flags == READ_ONLY);
  }

  public void sync() {
    Lmdb.check(Function.ENV_SYNC.call(open(), 1));
  }

  /** Closing a closed environment does nothing. */
  @Override
  public void close() {
    long open = handle;
    handle = 0;
    if (open != 0) {
      Function.ENV_CLOSE.call(open);
    }
  }
}
