package gambit.app.command.backup;

import gambit.core.store.disk.StoreBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The small files of a data directory, such as its keys, which a backup has besides the events.
 * Directories in it are either the store or made from the store. Immutable.
 *
 * @param contents by name
 * @param omitted names of what is no file, or too large
 */
record DataFiles(Map<String, byte[]> contents, List<String> omitted) {
  private static final int MAX_BYTES = 1 << 20;

  private static final Set<String> OF_THE_PROCESS = Set.of("gambit.lock", "control");

  private static final String UNFINISHED = ".*\\.(tmp|part)";

  static DataFiles read(Path data) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    List<String> omitted = new ArrayList<>();
    List<Path> found; // links, too, such as that of a key
    try (Stream<Path> files = Files.list(data)) {
      found = files.filter(it -> !Files.isDirectory(it)).toList();
    }
    for (Path file : found) {
      String name = file.getFileName().toString();
      if (!OF_THE_PROCESS.contains(name) && !name.matches(UNFINISHED)) {
        try {
          if (Files.isRegularFile(file)
              && StoreBackup.canName(name)
              && Files.size(file) <= MAX_BYTES) {
            contents.put(name, Files.readAllBytes(file));
          } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            omitted.add(name);
          }
        } catch (NoSuchFileException e) {
          omitted.remove(name); // it was deleted meanwhile
        }
      }
    }
    return new DataFiles(contents, omitted);
  }
}
