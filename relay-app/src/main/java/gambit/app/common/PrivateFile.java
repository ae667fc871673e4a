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

  /**
   * Reads a file without the white space around its text; empty if there is no file. It is refused
   * if others may read it, or it is too long.
   *
   * @param namedBy the beginning of the sentence of a failure: {@code "--data: "}, or empty
   */
  public static Optional<String> read(Path file, String namedBy) throws CommandFailure {
    try {
      if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      String fault = fault(file);
      if (!fault.isEmpty()) {
        throw new CommandFailure(namedBy + file + " " + fault + ".");
      }
      return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1).strip());
    } catch (IOException e) {
      throw new CommandFailure(namedBy + file + " cannot be read: " + ErrorMessages.of(e) + ".");
    }
  }

  private static String fault(Path file) throws IOException {
    try {
      if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
        return "is not a file";
      } else if (Directories.isOpenToOthers(file)) {
        return "can be read by others; make it private (chmod 600)";
      }
      return Files.size(file) > MAX_BYTES ? "does not hold a key" : "";
    } catch (NoSuchFileException e) {
      return "is a link to a file that does not exist";
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
}
