package gambit.app.server.backup;

import gambit.core.store.StoreProgress;
import gambit.core.store.disk.StoreBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Makes a backup of a data directory: its events, and its small files, such as its keys.
 * Directories in it are either the store or made from the store.
 *
 * @param bytesLeftFree on the disk of the backup, else it is not made
 * @param omitted receives the names of what is no file, or too large
 */
public record DataBackup(
    Path data, boolean verifiesKept, long bytesLeftFree, Consumer<String> omitted) {
  private static final int MAX_BYTES = 1 << 20;
  private static final Set<String> OF_THE_PROCESS = Set.of("gambit.lock", "control");
  private static final String UNFINISHED = ".*\\.(tmp|part)";

  /** Makes the backup into a directory, which may have a former one. */
  public StoreBackup.Outcome run(Path directory, Instant now, StoreProgress progress)
      throws IOException {
    return StoreBackup.run(
        new StoreBackup.Request(data.resolve("store"), files(), verifiesKept, now, bytesLeftFree),
        directory,
        progress);
  }

  private Map<String, byte[]> files() throws IOException {
    List<Path> found; // links, too, such as that of a key
    try (Stream<Path> files = Files.list(data)) {
      found = files.filter(it -> !Files.isDirectory(it)).toList();
    }
    Map<String, byte[]> contents = new TreeMap<>();
    for (Path file : found) {
      String name = file.getFileName().toString();
      if (!OF_THE_PROCESS.contains(name) && !name.matches(UNFINISHED)) {
        try {
          if (Files.isRegularFile(file)
              && StoreBackup.canName(name)
              && Files.size(file) <= MAX_BYTES) {
            contents.put(name, Files.readAllBytes(file));
          } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            omitted.accept(name);
          }
        } catch (NoSuchFileException e) {
          // it was deleted meanwhile
        }
      }
    }
    return contents;
  }
}
