package gambit.app;

import java.io.File;

/**
 * The native libraries that were unpacked into {@code native/} beside the jar. Without that
 * directory, each start unpacks those of the jar into the directory for temporary files, where a
 * killed process leaves them. Netty finds its own by Java's library path, which only the launch
 * script can set.
 */
final class NativeLibraries {
  private NativeLibraries() {}

  /** Names the libraries to those who load them; before the first of their classes is used. */
  static void nameUnpacked() {
    File directory = directory();
    if (directory.isDirectory()) {
      Main.setDefault("gambit.lmdb.library", new File(directory, "liblmdb.so").toString());
      Main.setDefault("jffi.boot.library.path", directory.toString());
      Main.setDefault("fr.acinq.secp256k1.lib.path", directory.toString());
      Main.setDefault("fr.acinq.secp256k1.lib.name", "libsecp256k1-jni.so");
      // Which is searched for old libraries at each start.
      Main.setDefault("fr.acinq.secp256k1.tmpdir", directory.toString());
    }
  }

  /** Beside the jar, which is the class path of {@code java -jar}. */
  private static File directory() {
    File jar = new File(System.getProperty("java.class.path")).getAbsoluteFile();
    return new File(jar.getParentFile(), "native");
  }
}
