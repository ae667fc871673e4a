package gambit.core.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Syncs directories, which makes the names in them durable, creates private ones and the files in
 * them, and deletes them. Platforms that cannot open a directory, or have no POSIX permissions, do
 * without.
 */
public final class Directories {
  private Directories() {}

  public static void sync(Path directory) throws IOException {
    if (isPosix(directory)) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /** Creates a directory and its parents, which only the owner may enter. */
  public static void createPrivate(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    } else if (Files.exists(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      createPrivate(parent);
    }
    Files.createDirectories(directory, ownerOnly(directory, "rwx------"));
    syncParent(directory);
  }

  /** Opens a file; only its owner may read and write it if it is created. */
  public static FileChannel openPrivate(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, Set.of(options), ownerOnly(file, "rw-------"));
  }

  /** Replaces a private file, or makes it; after a crash it is the former one or the new one. */
  public static void replacePrivate(Path file, byte[] content) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(unfinished);
    try (FileChannel out =
        openPrivate(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (ByteBuffer bytes = ByteBuffer.wrap(content); bytes.hasRemaining(); ) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    syncParent(file);
  }

  /** Whether others than the owner have any permission for a file or directory. */
  public static boolean isOpenToOthers(Path path) throws IOException {
    return isPosix(path)
        && !PosixFilePermissions.toString(Files.getPosixFilePermissions(path)).endsWith("------");
  }

  /** Deletes a directory or file with all that is in it, if it exists. */
  public static void delete(Path directory) throws IOException {
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
    return isPosix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  public static void syncParent(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      sync(parent);
    }
  }
}
