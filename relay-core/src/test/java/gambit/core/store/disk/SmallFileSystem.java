package gambit.core.store.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * A mounted file system with little room, part of which is occupied by a file that can be deleted.
 */
public final class SmallFileSystem implements AutoCloseable {
  private final Path path;

  /**
   * Mounts it on a directory, or skips the test where that is not permitted.
   *
   * @param fillerBytes size of the file that can be deleted
   */
  public SmallFileSystem(Path path, int bytes, int fillerBytes) throws IOException {
    this.path = Files.createDirectories(path);
    String objection = run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", "" + path);
    Assumptions.assumeTrue(
        objection.isEmpty(), () -> "no file system can be mounted here: " + objection);
    try {
      Files.write(path.resolve("filler"), new byte[fillerBytes]);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Deletes the file that occupies room. */
  public void makeRoom() throws IOException {
    Files.delete(path.resolve("filler"));
  }

  /** Runs a command and returns its output if it fails, else an empty text. */
  private static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      byte[] output = process.getInputStream().readAllBytes();
      return process.waitFor() == 0 ? "" : new String(output, StandardCharsets.UTF_8) + "failed";
    } catch (IOException | InterruptedException e) {
      return e.toString();
    }
  }

  /** Unmounts it; it must not be in use. */
  @Override
  public void close() throws IOException {
    String objection = run("umount", "" + path);
    if (!objection.isEmpty()) {
      throw new IOException(objection);
    }
  }
}
