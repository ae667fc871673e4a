package gambit.core.store.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Syncs directories, which makes the names in them durable. Does nothing on platforms that cannot
 * open a directory.
 */
public final class Directories {
  private Directories() {}

  /** Makes the names in a directory durable. */
  public static void sync(Path directory) throws IOException {
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /** Makes the name of a file or directory durable. */
  public static void syncParent(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      sync(parent);
    }
  }
}
