package gambit.core.store.disk.lmdb;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Library;
import com.kenai.jffi.MemoryIO;
import com.kenai.jffi.Type;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.Arrays;

/**
 * The functions of LMDB's library. Handles and addresses are longs; all arguments are passed as
 * longs, of which C reads the lower half where it expects an int. A negative or positive result is
 * the code of an error, unless it is said otherwise.
 */
final class Lmdb {
  private static final int NOT_FOUND = -30798;

  private static final Library LIBRARY = LmdbLibrary.open();
  private static final Invoker INVOKER = Invoker.getInstance();
  private static final MemoryIO MEMORY = MemoryIO.getInstance();

  private static final CallContext ONE = arguments(1);
  private static final CallContext TWO = arguments(2);
  private static final CallContext THREE = arguments(3);
  private static final CallContext FOUR = arguments(4);

  private static final long STRERROR = function("mdb_strerror");
  private static final long ENV_CREATE = function("mdb_env_create");
  private static final long ENV_SET_MAPSIZE = function("mdb_env_set_mapsize");
  private static final long ENV_SET_MAXDBS = function("mdb_env_set_maxdbs");
  private static final long ENV_SET_MAXREADERS = function("mdb_env_set_maxreaders");
  private static final long ENV_OPEN = function("mdb_env_open");
  private static final long ENV_SYNC = function("mdb_env_sync");
  private static final long ENV_CLOSE = function("mdb_env_close");
  private static final long TXN_BEGIN = function("mdb_txn_begin");
  private static final long TXN_ID = function("mdb_txn_id");
  private static final long TXN_RESET = function("mdb_txn_reset");
  private static final long TXN_RENEW = function("mdb_txn_renew");
  private static final long TXN_COMMIT = function("mdb_txn_commit");
  private static final long TXN_ABORT = function("mdb_txn_abort");
  private static final long DBI_OPEN = function("mdb_dbi_open");
  private static final long STAT = function("mdb_stat");
  private static final long GET = function("mdb_get");
  private static final long CURSOR_OPEN = function("mdb_cursor_open");
  private static final long CURSOR_RENEW = function("mdb_cursor_renew");
  private static final long CURSOR_GET = function("mdb_cursor_get");
  private static final long CURSOR_PUT = function("mdb_cursor_put");
  private static final long CURSOR_DEL = function("mdb_cursor_del");
  private static final long CURSOR_CLOSE = function("mdb_cursor_close");

  private Lmdb() {}

  private static CallContext arguments(int count) {
    Type[] types = new Type[count];
    Arrays.fill(types, Type.SLONG_LONG);
    return CallContext.getCallContext(Type.SLONG_LONG, types, CallingConvention.DEFAULT, false);
  }

  private static long function(String name) {
    long address = LIBRARY.getSymbolAddress(name);
    if (address == 0) {
      throw new UnsatisfiedLinkError("LMDB's library has no function " + name);
    }
    return address;
  }

  /** Throws an exception if a result is the code of an error. */
  static void check(int result) {
    if (result != 0) {
      throw error(result);
    }
  }

  /** Whether an entry was found, by the result of a search. */
  static boolean isFound(int result) {
    if (result == NOT_FOUND) {
      return false;
    }
    check(result);
    return true;
  }

  static LmdbException error(int code) {
    byte[] text = MEMORY.getZeroTerminatedByteArray(INVOKER.invokeN1(ONE, STRERROR, code));
    return new LmdbException(code, new String(text, Charset.defaultCharset()) + " (" + code + ")");
  }

  /** The address of a direct buffer's memory. */
  static long address(Buffer buffer) {
    return MEMORY.getDirectBufferAddress(buffer);
  }

  /** A buffer of memory that is not Java's. */
  static ByteBuffer buffer(long address, int size) {
    return MEMORY.newDirectByteBuffer(address, size);
  }

  /** Memory for a result of up to eight bytes. */
  static NativeBuffer result() {
    NativeBuffer result = new NativeBuffer(Long.BYTES);
    result.bytes().order(ByteOrder.nativeOrder());
    return result;
  }

  /** A text that ends with a zero. */
  static NativeBuffer text(byte[] bytes) {
    NativeBuffer text = new NativeBuffer(bytes.length + 1);
    text.bytes().put(0, bytes);
    return text;
  }

  static int environmentCreate(long result) {
    return (int) INVOKER.invokeN1(ONE, ENV_CREATE, result);
  }

  static int setMapSize(long environment, long bytes) {
    return (int) INVOKER.invokeN2(TWO, ENV_SET_MAPSIZE, environment, bytes);
  }

  static int setMaxTables(long environment, int count) {
    return (int) INVOKER.invokeN2(TWO, ENV_SET_MAXDBS, environment, count);
  }

  static int setMaxReaders(long environment, int count) {
    return (int) INVOKER.invokeN2(TWO, ENV_SET_MAXREADERS, environment, count);
  }

  static int environmentOpen(long environment, long path, int flags, int mode) {
    return (int) INVOKER.invokeN4(FOUR, ENV_OPEN, environment, path, flags, mode);
  }

  static int environmentSync(long environment, int force) {
    return (int) INVOKER.invokeN2(TWO, ENV_SYNC, environment, force);
  }

  static void environmentClose(long environment) {
    INVOKER.invokeN1(ONE, ENV_CLOSE, environment);
  }

  static int transactionBegin(long environment, int flags, long result) {
    return (int) INVOKER.invokeN4(FOUR, TXN_BEGIN, environment, 0, flags, result);
  }

  /** Returns the number of a transaction. */
  static long transactionId(long transaction) {
    return INVOKER.invokeN1(ONE, TXN_ID, transaction);
  }

  static void transactionReset(long transaction) {
    INVOKER.invokeN1(ONE, TXN_RESET, transaction);
  }

  static int transactionRenew(long transaction) {
    return (int) INVOKER.invokeN1(ONE, TXN_RENEW, transaction);
  }

  static int transactionCommit(long transaction) {
    return (int) INVOKER.invokeN1(ONE, TXN_COMMIT, transaction);
  }

  static void transactionAbort(long transaction) {
    INVOKER.invokeN1(ONE, TXN_ABORT, transaction);
  }

  static int openTable(long transaction, long name, int flags, long result) {
    return (int) INVOKER.invokeN4(FOUR, DBI_OPEN, transaction, name, flags, result);
  }

  static int stat(long transaction, int table, long result) {
    return (int) INVOKER.invokeN3(THREE, STAT, transaction, table, result);
  }

  static int get(long transaction, int table, long key, long value) {
    return (int) INVOKER.invokeN4(FOUR, GET, transaction, table, key, value);
  }

  static int cursorOpen(long transaction, int table, long result) {
    return (int) INVOKER.invokeN3(THREE, CURSOR_OPEN, transaction, table, result);
  }

  static int cursorRenew(long transaction, long cursor) {
    return (int) INVOKER.invokeN2(TWO, CURSOR_RENEW, transaction, cursor);
  }

  static int cursorGet(long cursor, long key, long value, int operation) {
    return (int) INVOKER.invokeN4(FOUR, CURSOR_GET, cursor, key, value, operation);
  }

  static int cursorPut(long cursor, long key, long value) {
    return (int) INVOKER.invokeN4(FOUR, CURSOR_PUT, cursor, key, value, 0);
  }

  static int cursorDelete(long cursor) {
    return (int) INVOKER.invokeN2(TWO, CURSOR_DEL, cursor, 0);
  }

  static void cursorClose(long cursor) {
    INVOKER.invokeN1(ONE, CURSOR_CLOSE, cursor);
  }
}
