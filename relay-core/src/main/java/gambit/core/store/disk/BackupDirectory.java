package gambit.core.store.disk;

import gambit.core.files.DirectoryLock;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a backup, locked for this process. One thread.
 *
 * <pre>
 * lock           one process at a time
 * manifest       the list of the other files ({@link BackupManifest})
 * NAME.N         the copy of a file
 * </pre>
 */
record BackupDirectory(Disk disk, @Nullable DirectoryLock lock) implements AutoCloseable {
  private static final String LOCK = "lock";

  /** What a file system may have in its root. */
  private static final String LOST_FOUND = "lost+found";

  private static final String DISPOSABLE_NAMES = ".+\\.[0-9]{1,10}|manifest\\.tmp";
  private static final String KNOWN_NAMES = DISPOSABLE_NAMES + "|manifest|lock";

  /** Opens or creates a directory for the next backup; refuses one with other files. */
  static BackupDirectory openForWriting(Path path) throws IOException {
    Disk disk = new RealDisk(path);
    List<String> names =
        disk.names().stream().filter(it -> !it.equals(LOST_FOUND)).sorted().toList();
    Optional<String> other = names.stream().filter(it -> !it.matches(KNOWN_NAMES)).findFirst();
    if (other.isEmpty() && !names.isEmpty() && !names.contains(LOCK)) {
      other = Optional.of(names.get(0)); // whose name looks like that of a copy
    }
    if (other.isPresent()) {
      throw new IOException(
          "%s has other files than those of a backup, such as %s; name a new directory"
              .formatted(path, other.get()));
    }
    return new BackupDirectory(disk, new DirectoryLock(path, LOCK));
  }

  /** Opens the directory of a backup, which may be on a medium that cannot be written. */
  static BackupDirectory openForReading(Path path) throws IOException {
    Disk disk = RealDisk.readOnly(path);
    boolean canLock = Files.isWritable(path.resolve(LOCK));
    return new BackupDirectory(disk, canLock ? new DirectoryLock(path, LOCK) : null);
  }

  /** Whether that is the name of a copy or of an unfinished manifest. */
  static boolean isDisposable(String name) {
    return name.matches(DISPOSABLE_NAMES);
  }

  @Override
  public void close() {
    if (lock != null) {
      lock.close();
    }
  }
}
