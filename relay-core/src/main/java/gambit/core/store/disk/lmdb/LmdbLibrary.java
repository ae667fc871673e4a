package gambit.core.store.disk.lmdb;

import com.kenai.jffi.Library;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * Finds LMDB's library: the file that {@link #PROPERTY} names, or the resource for this machine,
 * which is unpacked into the directory for temporary files and deleted as soon as it is loaded.
 */
final class LmdbLibrary {
  /** The system property with the library's file, of one that was unpacked before. */
  private static final String PROPERTY = "gambit.lmdb.library";

  private LmdbLibrary() {}

  static Library open() {
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
    try (InputStream in = LmdbLibrary.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new UnsatisfiedLinkError("there is no " + name);
      }
      Path file = Files.createTempFile("lmdb", ".so");
      try {
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        return open(file.toString());
      } finally {
        delete(file.toFile());
      }
    } catch (IOException e) {
      throw new UnsatisfiedLinkError(name + " cannot be unpacked: " + e);
    }
  }

  /** Some systems do not delete the file of a library in use. */
  private static void delete(File file) {
    if (!file.delete()) {
      file.deleteOnExit();
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
