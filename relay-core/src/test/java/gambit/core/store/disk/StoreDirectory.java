package gambit.core.store.disk;

import gambit.core.store.EventStore;
import gambit.core.store.disk.index.Hashing;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.RealDisk;
import gambit.core.testkit.TestDirectories;
import java.io.IOException;
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

/** The directory of a store, which tests change while the store is closed. */
public final class StoreDirectory {
  /** Size of a segment, small enough that a few events fill it. */
  public static final int SEGMENT_BYTES = 4096;

  /** Records of one transaction of a rebuild, few enough that it takes several transactions. */
  private static final int RECORDS_PER_TRANSACTION = 10;

  /** Changes of one flush of the index, few enough that there are flushes all the time. */
  private static final long BYTES_OF_FLUSH = 8 << 10;

  private final Path path;
  private final @Nullable Hashing hashing;
  private long bytesOfFlush = BYTES_OF_FLUSH;
  private int bootCount;
  private boolean hasCopy;

  public StoreDirectory() throws IOException {
    this(null);
  }

  public StoreDirectory(@Nullable Hashing hashing) throws IOException {
    this(TestDirectories.create(), 0, hashing);
  }

  /** An existing directory, on a machine with that number of boots. */
  public StoreDirectory(Path path, int boots, @Nullable Hashing hashing) {
    this.path = path;
    this.bootCount = boots;
    this.hashing = hashing;
  }

  /** Sets the size of the index changes that a store opened later applies at once. */
  public StoreDirectory withBytesOfFlush(long bytes) {
    bytesOfFlush = bytes;
    return this;
  }

  public int bootCount() {
    return bootCount;
  }

  /** Reopens the store after a random disturbance, or reclaims its space. */
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

  public Path path() {
    return path;
  }

  public Path log() {
    return path.resolve("log");
  }

  public Path index() {
    return path.resolve("index");
  }

  private Path indexCopy() {
    return path.resolve("copy");
  }

  public DiskEventStore open() throws IOException {
    return open(new RealDisk(log()));
  }

  public DiskEventStore open(Disk disk) throws IOException {
    return open(disk, 0);
  }

  public DiskEventStore open(Disk disk, long minFreeBytes) throws IOException {
    return open(disk, minFreeBytes, SEGMENT_BYTES, RECORDS_PER_TRANSACTION);
  }

  /** Opens the store with segments that hold all groups of a test. */
  DiskEventStore openWithLargeSegments(Disk disk) throws IOException {
    return open(disk, 0, 1 << 20, RECORDS_PER_TRANSACTION);
  }

  /** Opens the store with its log in another directory. */
  public DiskEventStore openWithLogIn(Path log, int segmentBytes, int recordsPerTransaction)
      throws IOException {
    return open(new RealDisk(log), 0, segmentBytes, recordsPerTransaction);
  }

  private DiskEventStore open(
      Disk disk, long minFreeBytes, int segmentBytes, int recordsPerTransaction)
      throws IOException {
    return new DiskEventStore(
        path,
        disk,
        new DiskEventStore.Options(
            InstantSource.system(),
            minFreeBytes,
            segmentBytes,
            recordsPerTransaction,
            bytesOfFlush,
            "boot " + bootCount,
            hashing));
  }

  /** Reclaims all reclaimable space. */
  public static void reclaimAll(EventStore store, Instant now) {
    boolean more = true;
    while (more) {
      more = store.reclaim(now);
    }
  }

  /**
   * Copies the index, or restores the copy if there is one, as if the process had been killed
   * before the index had its last commits.
   */
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

  /** Deletes the copy of the index, which is too old to be restored. */
  public void deleteIndexCopy() throws IOException {
    delete(indexCopy());
    hasCopy = false;
  }

  public void deleteIndex() throws IOException {
    delete(index());
  }

  /** Simulates a crash and reboot of the machine while the store was open. */
  public void simulateReboot() throws IOException {
    markOpen();
    bootCount++;
  }

  public void markOpen() throws IOException {
    Files.writeString(
        path.resolve("index-state"), "open boot " + bootCount + "\n", StandardCharsets.UTF_8);
  }

  /** The files of the log in order; none if there is no log yet. */
  public List<Path> segments() throws IOException {
    if (!Files.exists(log())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(log())) {
      return files.sorted().toList();
    }
  }

  public void delete() throws IOException {
    delete(path);
  }

  public static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
