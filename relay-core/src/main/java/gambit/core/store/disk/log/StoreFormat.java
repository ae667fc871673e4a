package gambit.core.store.disk.log;

import gambit.core.files.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file {@code format}, one line that names the format of a store. */
public final class StoreFormat {
  private static final String CURRENT = "gambit event store 1";

  private StoreFormat() {}

  /** Writes the format of a new store, or refuses a format that is unknown. */
  public static void check(Path directory, Disk log) throws IOException {
    Path file = directory.resolve("format");
    if (Files.exists(file)) {
      read(directory);
    } else if (log.names().stream().noneMatch(Segment::isFileName)) {
      write(directory, CURRENT);
    } else {
      throw new IOException("there is an event log, but " + file + " is missing");
    }
  }

  /** Names the format of a store in its directory. */
  public static void write(Path directory, String format) throws IOException {
    byte[] line = (format + "\n").getBytes(StandardCharsets.UTF_8);
    Directories.replacePrivate(directory.resolve("format"), line);
  }

  /** Reads the format of a store; refuses one that this program does not know. */
  public static String read(Path directory) throws IOException {
    Path file = directory.resolve("format");
    String found = Files.readString(file, StandardCharsets.UTF_8).strip();
    requireKnown("" + file, found);
    return found;
  }

  /** Refuses a format that this program does not know, naming where it was found. */
  public static void requireKnown(String where, String found) throws IOException {
    if (found.matches("gambit event store [1-9][0-9]{0,5}") && !found.equals(CURRENT)) {
      throw new IOException(
          "the store has format "
              + found.substring(found.lastIndexOf(' ') + 1)
              + ", of a newer version of Gambit; this version knows format 1. Start the newer"
              + " version, or restore the data directory from a backup made before the upgrade");
    }
    if (!found.equals(CURRENT)) {
      throw new IOException(
          where + " does not name a format of a store; restore the data directory from a backup");
    }
  }
}
