package gambit.core.store.disk.lmdb;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Library;
import com.kenai.jffi.MemoryIO;
import com.kenai.jffi.Type;
import java.io.IOException;
import java.io.InputStream;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;

/**
 * The functions of LMDB's library. Handles and addresses are longs; all arguments are passed as
 * longs, of which C reads the lower half where it expects an int. The lower half of a result is the
 * code of an error, or zero; but for {@code mdb_txn_id} and the functions that return nothing.
 */
final class Lmdb {
  private static final int NOT_FOUND = -30798;

  /** The system property with the library's file, of one that was unpacked before. */
  private static final String PROPERTY = "gambit.lmdb.library";

  private static final Library LIBRARY = open();
  private static final Invoker INVOKER = Invoker.getInstance();
  private static final MemoryIO MEMORY = MemoryIO.getInstance();

  private Lmdb() {}

  /** A function, called by its name in lower case after {@code mdb_}. */
  enum Function {
    STRERROR,
    ENV_CREATE,
    ENV_SET_MAPSIZE,
    ENV_SET_MAXDBS,
    ENV_SET_MAXREADERS,
    ENV_OPEN,
    ENV_SYNC,
    ENV_CLOSE,
    TXN_BEGIN,
    TXN_ID,
    TXN_RESET,
    TXN_RENEW,
    TXN_COMMIT,
    TXN_ABORT,
    DBI_OPEN,
    STAT,
    GET,
    CURSOR_OPEN,
    CURSOR_RENEW,
    CURSOR_GET,
    CURSOR_PUT,
    CURSOR_DEL,
    CURSOR_CLOSE;

    private static final CallContext ONE = arguments(1);
    private static final CallContext TWO = arguments(2);
    private static final CallContext THREE = arguments(3);
    private static final CallContext FOUR = arguments(4);

    private final long address;

    Function() {
      String name = "mdb_" + name().toLowerCase(Locale.ROOT);
      address = LIBRARY.getSymbolAddress(name);
      if (address == 0) {
        throw new UnsatisfiedLinkError("LMDB's library has no function " + name);
      }
    }

    private static CallContext arguments(int count) {
      Type[] types = new Type[count];
      Arrays.fill(types, Type.SLONG_LONG);
      return CallContext.getCallContext(Type.SLONG_LONG, types, CallingConvention.DEFAULT, false);
    }

    long call(long one) {
      return INVOKER.invokeN1(ONE, address, one);
    }

    long call(long one, long two) {
      return INVOKER.invokeN2(TWO, address, one, two);
    }

    long call(long one, long two, long three) {
      return INVOKER.invokeN3(THREE, address, one, two, three);
    }

    long call(long one, long two, long three, long four) {
      return INVOKER.invokeN4(FOUR, address, one, two, three, four);
    }
  }

  static void check(long result) {
    if ((int) result != 0) {
      throw error((int) result);
    }
  }

  /** Whether an entry was found, by the result of a search. */
  static boolean isFound(long result) {
    if ((int) result == NOT_FOUND) {
      return false;
    }
    check(result);
    return true;
  }

  static LmdbException error(int code) {
    byte[] text = MEMORY.getZeroTerminatedByteArray(Function.STRERROR.call(code));
    return new LmdbException(code, new String(text, Charset.defaultCharset()) + " (" + code + ")");
  }

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

  /**
   * Finds LMDB's library: the file that {@link #PROPERTY} names, or the resource for this machine,
   * which is unpacked into the directory for temporary files and deleted as soon as it is loaded.
   */
  private static Library open() {
    String file = System.getProperty(PROPERTY);
    return file != null ? open(file) : openUnpacked();
  }

  private static Library open(String file) {
    Library library = Library.openLibrary(file, Library.NOW | Library.LOCAL);
    if (library == null) {
      throw new UnsatisfiedLinkError(file + ": " + Library.getLastError());
    }
    return library;
  }

  private static Library openUnpacked() {
    String name = resource();
    try (InputStream in = Lmdb.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new UnsatisfiedLinkError("there is no " + name);
      }
      Path file = Files.createTempFile("lmdb", ".so");
      try {
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        return open(file.toString());
      } finally {
        if (!file.toFile().delete()) { // some systems do not delete a library in use
          file.toFile().deleteOnExit();
        }
      }
    } catch (IOException e) {
      throw new UnsatisfiedLinkError(name + " cannot be unpacked: " + e);
    }
  }

  private static String resource() {
    String processor =
        switch (System.getProperty("os.arch")) {
          case "amd64", "x86_64" -> "x86_64";
          case "arm64", "aarch64" -> "aarch64";
          default -> "unknown";
        };
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String suffix =
        system.startsWith("mac")
            ? "macos-none.so"
            : system.startsWith("windows") ? "windows-gnu.dll" : "linux-gnu.so";
    return "/org/lmdbjava/native/" + processor + "-" + suffix;
  }
}
