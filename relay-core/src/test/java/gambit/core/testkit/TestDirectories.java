package gambit.core.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates directories for tests. They are in a memory file system, if there is one, which halves
 * the cost of syncs; in a long run they are on the disk.
 */
public final class TestDirectories implements TempDirFactory {
  private static final Path MEMORY_FILE_SYSTEM = Path.of("/dev/shm");
  private static final long MIN_FREE_BYTES = 4L << 30;
  private static final Optional<Path> PARENT = parent();

  /** Creates an empty directory; the caller deletes it. */
  public static Path create() throws IOException {
    return PARENT.isPresent()
        ? Files.createTempDirectory(PARENT.get(), "gambit")
        : Files.createTempDirectory("gambit");
  }

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    return create();
  }

  private static Optional<Path> parent() {
    try {
      return !TestEffort.isLong()
              && Files.isWritable(MEMORY_FILE_SYSTEM)
              && Files.getFileStore(MEMORY_FILE_SYSTEM).getUsableSpace() >= MIN_FREE_BYTES
              && isExecutable(MEMORY_FILE_SYSTEM)
          ? Optional.of(MEMORY_FILE_SYSTEM)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether programs and native libraries can be executed there, which containers often forbid. */
  private static boolean isExecutable(Path directory) throws IOException {
    Path program =
        Files.createTempFile(
            directory,
            "gambit",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try {
      Files.writeString(program, "#!/bin/sh\n");
      return new ProcessBuilder(program.toString()).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      Files.delete(program);
    }
  }
}
