package gambit.core.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A lock on a directory, held by this process until it is closed or the process ends. Only the
 * owner may open its file, since whoever can open it can lock it.
 */
public final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  /** Locks a directory by a file in it; {@link InUse} is thrown if another process has. */
  public DirectoryLock(Path directory, String file) throws IOException {
    channel =
        Directories.openPrivate(
            directory.resolve(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!lock()) {
      channel.close();
      throw new InUse(directory);
    }
  }

  public static final class InUse extends IOException {
    InUse(Path directory) {
      super("another process is using " + directory);
    }
  }

  private boolean lock() throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
