package gambit.core.store.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A file system with very little room, part of which is taken by a file that can be deleted. */
final class SmallFileSystem implements AutoCloseable {
  private final Path path;

  /**
   * Mounts it on a directory, or skips the test where that is not permitted.
   *
   * @param filler how many of its bytes are taken
   */
  SmallFileSystem(Path path, int bytes, int filler) throws IOException {
    this.path = Files.createDirectories(path);
    String objection = run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", "" + path);
    Assumptions.assumeTrue(
        objection.isEmpty(), () -> "no file system can be mounted here: " + objection);
    try {
      Files.write(path.resolve("filler"), new byte[filler]);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Deletes the file that takes room. */
  void makeRoom() throws IOException {
    Files.delete(path.resolve("filler"));
  }

  /** Returns what it has complained about. */
  private static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      byte[] output = process.getInputStream().readAllBytes();
      return process.waitFor() == 0 ? "" : new String(output, StandardCharsets.UTF_8) + "failed";
    } catch (IOException | InterruptedException e) {
      return e.toString();
    }
  }

  /** Unmounts it; nobody may be using it any more. */
  @Override
  public void close() throws IOException {
    String objection = run("umount", "" + path);
    if (!objection.isEmpty()) {
      throw new IOException(objection);
    }
  }
}
