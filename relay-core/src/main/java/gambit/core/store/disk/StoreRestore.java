package gambit.core.store.disk;

import gambit.core.files.Directories;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.BackupManifest.Copy;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.RealDisk;
import gambit.core.store.disk.log.StoreFormat;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Copies a backup into an empty data directory and verifies every byte. The store gets its name
 * last, so a restore that was ended in the middle can be repeated. One thread, for one use.
 *
 * <p>The restored log ends with a new segment: a relay that continues from an earlier backup never
 * appends to a segment of which another backup may have more.
 */
public final class StoreRestore {
  /** The store before it is complete; a relay does not start in a directory that has it. */
  public static final String UNFINISHED_STORE = "store.restoring";

  private static final String STORE = "store";
  private static final String NEW_FILE = ".new";
  private static final String LOCK = "gambit.lock";

  private final Disk backup;
  private final BackupManifest manifest;
  private final StoreProgress progress;
  private final ContentReader reader = new ContentReader();
  private long doneBytes;

  /** What was restored or verified, of a backup that began at that time. */
  public record Outcome(int number, Instant time, int segments, int files, long bytes) {}

  private StoreRestore(Disk backup, BackupManifest manifest, StoreProgress progress) {
    this.backup = backup;
    this.manifest = manifest;
    this.progress = progress;
  }

  /** Verifies a backup; the message of a failure names the damaged file. */
  public static Outcome verify(Path backup, StoreProgress progress) throws IOException {
    try (BackupDirectory opened = BackupDirectory.openForReading(backup)) {
      return verify(opened.disk(), progress);
    }
  }

  static Outcome verify(Disk backup, StoreProgress progress) throws IOException {
    StoreRestore restore = of(backup, progress);
    for (Copy copy : restore.manifest.files()) {
      restore.read(copy, (bytes, at) -> {});
    }
    return restore.outcome();
  }

  /**
   * Restores a backup.
   *
   * @param data the data directory, which is locked by the caller and empty, except for the lock,
   *     files that equal those of the backup, and what a restore that was ended has left
   * @throws IOException when the backup is damaged, or the directory is not empty; then the
   *     directory has no store
   */
  public static Outcome run(Path backup, Path data, StoreProgress progress) throws IOException {
    try (BackupDirectory opened = BackupDirectory.openForReading(backup)) {
      return run(opened.disk(), data, progress);
    }
  }

  static Outcome run(Disk backup, Path data, StoreProgress progress) throws IOException {
    StoreRestore restore = of(backup, progress);
    restore.restoreInto(data);
    return restore.outcome();
  }

  private static StoreRestore of(Disk backup, StoreProgress progress) throws IOException {
    BackupManifest manifest = BackupManifest.read(backup);
    if (manifest == null) {
      throw new IOException("there is no complete backup: the file manifest is missing");
    }
    return new StoreRestore(backup, manifest, progress);
  }

  private Outcome outcome() {
    int segments = manifest.segments().size();
    return new Outcome(
        manifest.number(),
        manifest.time(),
        segments,
        manifest.files().size() - segments,
        manifest.totalBytes());
  }

  private void restoreInto(Path data) throws IOException {
    requireEmpty(data);
    Path unfinished = data.resolve(UNFINISHED_STORE);
    Directories.delete(unfinished);
    try {
      restoreStore(unfinished);
      restoreFiles(unfinished);
    } catch (IOException e) {
      Directories.delete(unfinished);
      throw e;
    }
    for (Copy file : files()) {
      step();
      Files.move(
          unfinished.resolve(file.name() + NEW_FILE),
          data.resolve(file.name()),
          StandardCopyOption.ATOMIC_MOVE);
    }
    Directories.sync(unfinished);
    Directories.sync(data);
    step();
    Files.move(unfinished, data.resolve(STORE), StandardCopyOption.ATOMIC_MOVE);
    Directories.sync(data);
  }

  private List<Copy> files() {
    return manifest.files().stream().filter(it -> !it.isSegment()).toList();
  }

  /** Only files that the backup has may be there, with the same content. */
  private void requireEmpty(Path data) throws IOException {
    List<Path> found;
    try (Stream<Path> list = Files.list(data)) {
      found = list.sorted().toList();
    }
    Set<String> ignored = Set.of(LOCK, UNFINISHED_STORE, "lost+found");
    for (Path path : found) {
      String name = path.getFileName().toString();
      if (!ignored.contains(name)
          && files().stream().noneMatch(it -> it.name().equals(name) && isSame(it, path))) {
        throw new IOException(
            ("%s is not empty: %s is not the one of the backup; move it away, or name another"
                    + " directory")
                .formatted(data, name));
      }
    }
  }

  private static boolean isSame(Copy file, Path path) {
    try {
      return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
          && Files.size(path) == file.length()
          && ContentReader.hash(Files.readAllBytes(path)).equals(file.sha256());
    } catch (IOException e) {
      return false;
    }
  }

  private void restoreStore(Path store) throws IOException {
    Path log = store.resolve("log");
    step();
    Directories.createPrivate(log);
    for (Copy segment : manifest.segments()) {
      step();
      restore(segment, log.resolve(segment.name()));
    }
    step();
    completeStore(store, manifest);
  }

  /** Completes a store that has the log's files: it gets a new last segment and its format. */
  static void completeStore(Path store, BackupManifest manifest) throws IOException {
    try (LogFiles files =
        new LogFiles(new RealDisk(store.resolve("log")), LogFiles.SEGMENT_BYTES)) {
      files.beginSegment(manifest.logEnd(), manifest.nextSequence(), 0);
    }
    StoreFormat.write(store, manifest.format());
  }

  private void restoreFiles(Path unfinished) throws IOException {
    for (Copy file : files()) {
      step();
      restore(file, unfinished.resolve(file.name() + NEW_FILE));
    }
  }

  private void restore(Copy copy, Path to) throws IOException {
    try (FileChannel out =
        Directories.openPrivate(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      read(
          copy,
          (bytes, at) -> {
            while (bytes.hasRemaining()) {
              out.write(bytes);
            }
          });
      out.force(true);
    }
  }

  private void read(Copy copy, ContentReader.Sink sink) throws IOException {
    String hash;
    try (Disk.File in = backup.open(copy.fileName())) {
      hash =
          reader.read(
              in,
              copy.length(),
              (bytes, at) -> {
                doneBytes += bytes.limit();
                sink.take(bytes, at);
                step();
              });
    } catch (NoSuchFileException e) {
      throw damaged(copy, "is missing");
    }
    if (hash == null) {
      throw damaged(copy, "is truncated");
    } else if (!hash.equals(copy.sha256())) {
      throw damaged(copy, "has another content than was written");
    }
  }

  private IOException damaged(Copy copy, String fault) {
    return new IOException("the backup is damaged: " + copy.fileName() + " " + fault);
  }

  private void step() {
    progress.progress(doneBytes, manifest.totalBytes());
  }
}
