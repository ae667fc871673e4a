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
  static final int SEGMENT = 4096;

  /** Small, so that an index is made again in several transactions. */
  private static final int BATCH = 10;

  /** The log of a {@link Workload}, written when records had no checksums. */
  private static final List<String> VERSION_1 =
      List.of(
          "0000000000000000-00000004.log",
          "00000000000036d0-00000002.log",
          "00000000000074e8-00000000.log",
          "00000000000085e0-00000001.log",
          "0000000000009540-00000000.log",
          "000000000000a308-00000000.log");

  private final Path path;
  private final @Nullable Hashing hashing;
  private int boots;
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
    this.boots = boots;
    this.hashing = hashing;
  }

  int boots() {
    return boots;
  }

  /** Closes the store and opens it again after something that may have happened meanwhile. */
  public EventStore disturbed(EventStore store, Random random) throws IOException {
    switch (random.nextInt(5)) {
      case 0 -> store.close();
      case 1 -> {
        store.close();
        putIndexBack();
      }
      case 2 -> {
        store.close();
        deleteIndex();
      }
      case 3 -> {
        store.close();
        startMachineAgain();
      }
      default -> {
        keepNoIndex();
        reclaimAll(store, Instant.MAX.minusSeconds(1));
        return store;
      }
    }
    return open();
  }

  /** Puts the log there that a {@link Workload} left when records had no checksums. */
  void fillWithVersion1() throws IOException {
    Files.createDirectories(log());
    copy("format", path.resolve("format"));
    for (String name : VERSION_1) {
      copy("log/" + name, log().resolve(name));
    }
  }

  private static void copy(String name, Path to) throws IOException {
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

  private Path copy() {
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
            InstantSource.system(), minFreeBytes, SEGMENT, BATCH, "boot " + boots, hashing));
  }

  /** Gives back all that can be given back. */
  static void reclaimAll(EventStore store, Instant now) {
    boolean more = true;
    while (more) {
      more = store.reclaim(now);
    }
  }

  /** As if the process had been killed before the index had taken its last commits. */
  public void putIndexBack() throws IOException {
    if (hasCopy) {
      delete(index());
      Files.move(copy(), index());
      markOpen();
      hasCopy = false;
    } else {
      Files.createDirectory(copy());
      Files.copy(index().resolve("data.mdb"), copy().resolve("data.mdb"));
      hasCopy = true;
      markOpen();
    }
  }

  /** What was copied must not come back any more. */
  public void keepNoIndex() throws IOException {
    delete(copy());
    hasCopy = false;
  }

  public void deleteIndex() throws IOException {
    delete(index());
  }

  /** As if the machine had gone down while the store was open. */
  public void startMachineAgain() throws IOException {
    markOpen();
    boots++;
  }

  void markOpen() throws IOException {
    Files.writeString(
        path.resolve("index-state"), "open boot " + boots + "\n", StandardCharsets.UTF_8);
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
