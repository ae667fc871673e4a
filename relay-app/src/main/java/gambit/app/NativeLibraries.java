package gambit.app;

import java.io.File;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native libraries that were unpacked into {@code native/} beside the jar. Without that
 * directory, each start unpacks those of the jar into the directory for temporary files, where a
 * killed process leaves them.
 */
final class NativeLibraries {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibraries.class);

  private NativeLibraries() {}

  /** Names the libraries to those who load them; before the first of their classes is used. */
  static void nameUnpacked() {
    File directory = directory();
    if (directory.isDirectory()) {
      Main.setDefault("lmdbjava.native.lib", new File(directory, "liblmdb.so").toString());
      Main.setDefault("jffi.boot.library.path", directory.toString());
      Main.setDefault("fr.acinq.secp256k1.lib.path", directory.toString());
      Main.setDefault("fr.acinq.secp256k1.lib.name", "libsecp256k1-jni.so");
      // Which is searched for old libraries at each start.
      Main.setDefault("fr.acinq.secp256k1.tmpdir", directory.toString());
    }
  }

  /** Loads Netty's library, which has no property; Netty unpacks another if this fails. */
  static void loadForNetty() {
    String processor = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
    String name = "libnetty_transport_native_epoll_" + processor + ".so";
    File library = new File(directory(), name);
    if (library.exists()) {
      try {
        System.load(library.toString());
      } catch (UnsatisfiedLinkError e) {
        LOG.warn("{} cannot be loaded: {}", library, e.getMessage());
      }
    }
  }

  /** Beside the jar, which is the class path of {@code java -jar}. */
  private static File directory() {
    File jar = new File(System.getProperty("java.class.path")).getAbsoluteFile();
    return new File(jar.getParentFile(), "native");
  }
}
