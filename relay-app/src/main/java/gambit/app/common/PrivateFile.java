package gambit.app.common;

import gambit.core.files.Directories;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Short text files, with a key each, that only their owner may read. */
public final class PrivateFile {
  /** The longest file that is read: a key with some white space. */
  private static final int MAX_BYTES = 1000;

  private PrivateFile() {}

  public static final class Unusable extends Exception {
    private Unusable(String message) {
      super(message);
    }
  }

  /**
   * Reads a file without the white space around its text; empty if there is no file. It is unusable
   * if others may read it, or it is too long.
   */
  public static Optional<String> read(Path file) throws Unusable, IOException {
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    requireRegular(file);
    if (Directories.isOpenToOthers(file)) {
      throw new Unusable(file + " can be read by others; make it private (chmod 600).");
    }
    if (Files.size(file) > MAX_BYTES) {
      throw new Unusable(file + " does not hold a key.");
    }
    return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1).strip());
  }

  private static void requireRegular(Path file) throws Unusable, IOException {
    try {
      if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
        throw new Unusable(file + " is not a file.");
      }
    } catch (NoSuchFileException e) {
      throw new Unusable(file + " is a link to a file that does not exist.");
    }
  }

  /**
   * Creates a file with its permissions, so that others can never read it, and syncs it; not its
   * directory. Fails if the file exists.
   */
  public static void create(Path file, String line) throws IOException {
    try (FileChannel out = open(file)) {
      out.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.ISO_8859_1)));
      out.force(true);
    }
  }

  public static FileChannel open(Path file) throws IOException {
    return Directories.openPrivate(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  public static void createDirectoryOf(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Directories.createPrivate(directory);
    }
  }
}
