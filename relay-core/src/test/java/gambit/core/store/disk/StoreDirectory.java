package gambit.core.store.disk;

import gambit.core.store.EventStore;
import gambit.core.testkit.TestDirectories;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory with a store in it, to which things happen between two openings. */
public final class StoreDirectory {
  /** Small, so that a few events fill a segment. */
  static final int SEGMENT_BYTES = 4096;

  /** Small, so that an index is made again in several transactions. */
  private static final int RECORDS_PER_TRANSACTION = 10;

  /** The log of a {@link Workload}, written when records had no checksums. */
  private static final List<String> VERSION_1_SEGMENTS =
      List.of(
          "0000000000000000-00000004.log",
          "00000000000036d0-00000002.log",
          "00000000000074e8-00000000.log",
          "00000000000085e0-00000001.log",
          "0000000000009540-00000000.log",
          "000000000000a308-00000000.log");

  private final Path path;
  private final @Nullable Hashing hashing;
  private int bootCount;
  private boolean hasCopy;

  public StoreDirectory() throws IOException {
    this(null);
  }

  StoreDirectory(@Nullable Hashing hashing) throws IOException {
    this(TestDirectories.create(), 0, hashing);
  }

  /** One that is there, on a machine that was started so often before. */
  StoreDirectory(Path path, int boots, @Nullable Hashing hashing) {
    this.path = path;
    this.bootCount = boots;
    this.hashing = hashing;
  }

  int bootCount() {
    return bootCount;
  }

  /** Closes the store and opens it again after something that may have happened meanwhile. */
  public EventStore disturbed(EventStore store, Random random) throws IOException {
    switch (random.nextInt(5)) {
      case 0 -> store.close();
      case 1 -> {
        store.close();
        copyOrRestoreIndex();
      }
      case 2 -> {
        store.close();
        deleteIndex();
      }
      case 3 -> {
        store.close();
        simulateReboot();
      }
      default -> {
        deleteIndexCopy();
        reclaimAll(store, Instant.MAX.minusSeconds(1));
        return store;
      }
    }
    return open();
  }

  /** Puts the log there that a {@link Workload} left when records had no checksums. */
  void fillWithVersion1() throws IOException {
    Files.createDirectories(log());
    copyResource("format", path.resolve("format"));
    for (String name : VERSION_1_SEGMENTS) {
      copyResource("log/" + name, log().resolve(name));
    }
  }

  private static void copyResource(String name, Path to) throws IOException {
    try (InputStream in = StoreDirectory.class.getResourceAsStream("version1/" + name)) {
      Files.copy(in, to);
    }
  }

  public Path path() {
    return path;
  }

  Path log() {
    return path.resolve("log");
  }

  Path index() {
    return path.resolve("index");
  }

  private Path indexCopy() {
    return path.resolve("copy");
  }

  public DiskEventStore open() throws IOException {
    return open(new RealDisk(log()));
  }

  DiskEventStore open(Disk disk) throws IOException {
    return open(disk, 0);
  }

  DiskEventStore open(Disk disk, long minFreeBytes) throws IOException {
    return DiskEventStore.open(
        path,
        disk,
        new DiskEventStore.Options(
            InstantSource.system(),
            minFreeBytes,
            SEGMENT_BYTES,
            RECORDS_PER_TRANSACTION,
            "boot " + bootCount,
            hashing));
  }

  /** Gives back all that can be given back. */
  static void reclaimAll(EventStore store, Instant now) {
    boolean more = true;
    while (more) {
      more = store.reclaim(now);
    }
  }

  /** As if the process had been killed before the index had taken its last commits. */
  public void copyOrRestoreIndex() throws IOException {
    if (hasCopy) {
      delete(index());
      Files.move(indexCopy(), index());
      markOpen();
      hasCopy = false;
    } else {
      Files.createDirectory(indexCopy());
      Files.copy(index().resolve("data.mdb"), indexCopy().resolve("data.mdb"));
      hasCopy = true;
      markOpen();
    }
  }

  /** What was copied must not come back any more. */
  public void deleteIndexCopy() throws IOException {
    delete(indexCopy());
    hasCopy = false;
  }

  public void deleteIndex() throws IOException {
    delete(index());
  }

  /** As if the machine had gone down while the store was open. */
  public void simulateReboot() throws IOException {
    markOpen();
    bootCount++;
  }

  void markOpen() throws IOException {
    Files.writeString(
        path.resolve("index-state"), "open boot " + bootCount + "\n", StandardCharsets.UTF_8);
  }

  /** The files of the log in their order. */
  List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(log())) {
      return files.sorted().toList();
    }
  }

  public void delete() throws IOException {
    delete(path);
  }

  static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
