import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A step of the build: puts the launch script and the unpacked native libraries beside the jar. It
 * is run from its source.
 *
 * <p>Arguments: the launch script, the directory with {@code gambit.jar}, and a processor ({@code
 * x86_64} or {@code aarch64}). Without the processor, the libraries are for this machine, and the
 * launch script makes its archive of classes; the build continues if it cannot.
 */
final class DirectoryBuild {
  /** The processors that have libraries for Linux: their names in Java, and in Netty's files. */
  private static final Map<String, String> PROCESSORS =
      Map.of("x86_64", "x86_64", "aarch64", "aarch_64");

  /** The libraries' names beside the jar, and in it; see {@code gambit.app.Main}. */
  private static Map<String, String> libraries(String processor) {
    String netty = "libnetty_transport_native_epoll_" + PROCESSORS.get(processor) + ".so";
    String secp256k1 = "libsecp256k1-jni.so";
    return Map.of(
        "liblmdb.so", "org/lmdbjava/native/" + processor + "-linux-gnu.so",
        "libjffi-1.2.so", "jni/" + processor + "-Linux/libjffi-1.2.so",
        secp256k1, "fr/acinq/secp256k1/jni/native/linux-" + processor + "/" + secp256k1,
        netty, "META-INF/native/" + netty);
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Path.of(args[1]).toAbsolutePath();
    Path script = directory.resolve("gambit");
    Files.copy(Path.of(args[0]), script, StandardCopyOption.REPLACE_EXISTING);
    if (script.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    if (args.length > 2) {
      unpack(args[2], directory);
      return;
    }
    String processor = System.getProperty("os.arch").replace("amd64", "x86_64");
    if (System.getProperty("os.name").equals("Linux") && PROCESSORS.containsKey(processor)) {
      unpack(processor, directory);
    }
    makeArchive(script);
  }

  private static void unpack(String processor, Path directory) throws IOException {
    Path target = Files.createDirectories(directory.resolve("native"));
    try (ZipFile jar = new ZipFile(directory.resolve("gambit.jar").toFile())) {
      for (Map.Entry<String, String> library : libraries(processor).entrySet()) {
        ZipEntry entry = jar.getEntry(library.getValue());
        if (entry == null) {
          throw new IOException("The jar has no " + library.getValue());
        }
        try (InputStream in = jar.getInputStream(entry)) {
          Files.copy(in, target.resolve(library.getKey()), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /** Makes the archive for the Java of this build; the script prints why there is none. */
  private static void makeArchive(Path script) throws InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(script.toString(), "class-archive").inheritIO();
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("TRAINING_SECONDS", "0");
    try {
      builder.start().waitFor();
    } catch (IOException e) {
      System.err.println("No archive of classes was made: " + e.getMessage());
    }
  }
}
