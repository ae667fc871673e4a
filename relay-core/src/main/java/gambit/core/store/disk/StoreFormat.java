package gambit.core.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The file {@code format}, one line that names the format of a store. */
final class StoreFormat {
  private static final String CURRENT = "gambit event store 2";

  /** The same format without checksums of records. */
  private static final String PREVIOUS = "gambit event store 1";

  private StoreFormat() {}

  /**
   * Writes the format of a new store, or checks that the format is known. A store of the previous
   * format is marked with the current one, in which it will be written from now on.
   *
   * @throws IOException when the format is unknown
   */
  static void check(Path directory, Disk log) throws IOException {
    Path file = directory.resolve("format");
    if (Files.exists(file)) {
      String found = Files.readString(file, StandardCharsets.UTF_8).strip();
      if (found.equals(PREVIOUS)) {
        writeAtomically(file, CURRENT + "\n");
      } else if (!found.equals(CURRENT)) {
        throw new IOException(unknownFormat(found));
      }
    } else if (log.names().stream().noneMatch(Segment::isFileName)) {
      writeAtomically(file, CURRENT + "\n");
    } else {
      throw new IOException("there is an event log, but " + file + " is missing");
    }
  }

  /**
   * Checks that this program knows the format of a store.
   *
   * @throws IOException when the format is unknown
   */
  static void requireKnown(Path directory) throws IOException {
    String found = Files.readString(directory.resolve("format"), StandardCharsets.UTF_8).strip();
    if (!found.equals(CURRENT) && !found.equals(PREVIOUS)) {
      throw new IOException(unknownFormat(found));
    }
  }

  private static String unknownFormat(String found) {
    return "the store's format is \"" + found + "\"; this program knows \"" + CURRENT + "\" only";
  }

  /** Writes a small file atomically and durably. */
  static void writeAtomically(Path file, String text) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
    try (FileChannel out =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      out.force(true);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    Directories.syncParent(file);
  }
}
