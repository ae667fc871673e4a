package gambit.core.store.disk;

import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.backup.BackupDirectory;
import gambit.core.store.disk.backup.BackupManifest;
import gambit.core.store.disk.backup.BackupManifest.Copy;
import gambit.core.store.disk.backup.ContentReader;
import gambit.core.store.disk.backup.FormerBackup;
import gambit.core.store.disk.check.CheckedLog;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.Segment;
import gambit.core.store.disk.log.StoreFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies a store, which another process may be using, into a directory that may have an earlier
 * backup: sealed segments that it has are kept, new groups of the last one are appended, and files
 * that are no longer needed are deleted. Everything that was committed before the backup began is
 * in it; it ends with a complete group. The earlier backup is valid until the new one is complete.
 * One thread, for one use.
 */
public final class StoreBackup {
  private static final Logger LOG = LoggerFactory.getLogger(StoreBackup.class);
  private final Disk target;
  private final FormerBackup former;
  private final int number;
  private final StoreProgress progress;
  private final ContentReader reader = new ContentReader();
  private int keptSegments;
  private long copiedBytes;
  private long bytesToCopy;

  /**
   * What is copied.
   *
   * @param store the directory of the store
   * @param files further files by name, which only their owner may read
   * @param verifiesKept whether the checksums of kept files are verified; damaged ones are copied
   *     again
   * @param now the time that the backup bears
   * @param bytesLeftFree on the disk of the backup, else it is not made
   */
  public record Request(
      Path store,
      Map<String, byte[]> files,
      boolean verifiesKept,
      Instant now,
      long bytesLeftFree) {
    /** A request that may take the whole disk. */
    public Request(Path store, Map<String, byte[]> files, boolean verifiesKept, Instant now) {
      this(store, files, verifiesKept, now, 0);
    }
  }

  /**
   * The result of a backup.
   *
   * @param number how many backups were made into the directory
   * @param segments files of the log
   * @param keptSegments those that the former backup had and that have not grown
   * @param copiedBytes bytes that were copied
   * @param totalBytes bytes of the whole backup
   */
  public record Outcome(
      int number, int segments, int keptSegments, long copiedBytes, long totalBytes) {}

  /** A segment, its length without unused bytes, and its copy in the former backup, if any. */
  private record Source(Segment segment, int length, @Nullable Copy kept) {
    /** The position from which the segment is copied. */
    long from() {
      return kept == null ? 0 : kept.length();
    }
  }

  public static boolean canName(String file) {
    return BackupManifest.isListable(file);
  }

  private StoreBackup(Disk target, FormerBackup former, int number, StoreProgress progress) {
    this.target = target;
    this.former = former;
    this.number = number;
    this.progress = progress;
  }

  /** Makes a backup into a directory, which is created if it does not exist. */
  public static Outcome run(Request request, Path directory, StoreProgress progress)
      throws IOException {
    Disk source = StoreCheck.openLog(request.store());
    try (BackupDirectory opened = BackupDirectory.openForWriting(directory)) {
      return run(request, source, opened.disk(), progress);
    }
  }

  static Outcome run(Request request, Disk source, Disk target, StoreProgress progress)
      throws IOException {
    BackupManifest former = BackupManifest.read(target);
    StoreBackup backup =
        new StoreBackup(
            target,
            new FormerBackup(target, former, request.verifiesKept()),
            former == null ? 1 : former.number() + 1,
            progress);
    backup.deleteAllBut(former);
    BackupManifest manifest;
    try {
      manifest = backup.copyAll(request, source);
    } catch (IOException e) {
      backup.deleteIfPossible(former); // an unfinished copy must not fill the disk
      throw e;
    }
    backup.publish(manifest);
    return new Outcome(
        manifest.number(),
        manifest.segments().size(),
        backup.keptSegments,
        backup.copiedBytes,
        manifest.totalBytes());
  }

  /** Deletes what an unfinished backup has left, or what only the former one had. */
  private void deleteAllBut(@Nullable BackupManifest kept) throws IOException {
    Set<String> listed = kept == null ? Set.of() : kept.fileNames();
    for (String name : target.names()) {
      if (BackupDirectory.isDisposable(name) && !listed.contains(name)) {
        target.delete(name);
      }
    }
  }

  /** Deletes the same; what is left, the next backup deletes. */
  private void deleteIfPossible(@Nullable BackupManifest kept) {
    try {
      deleteAllBut(kept);
    } catch (IOException e) {
      LOG.debug("A file of an earlier backup could not be deleted", e);
    }
  }

  private BackupManifest copyAll(Request request, Disk source) throws IOException {
    String format = StoreFormat.read(request.store());
    try (CheckedLog log = CheckedLog.open(source)) {
      List<Source> sources = new ArrayList<>();
      for (int i = 0; i < log.segments().size(); i++) {
        sources.add(examine(log, i));
      }
      requireRoom(sources, request);
      List<Copy> copies = new ArrayList<>();
      for (Source each : sources) {
        copies.add(copy(each));
      }
      for (Map.Entry<String, byte[]> file : request.files().entrySet()) {
        copies.add(write(file.getKey(), file.getValue()));
      }
      return new BackupManifest(
          number, request.now(), format, log.end(), log.nextSequence(), copies);
    }
  }

  /** Finds out what of a segment must be copied, and checks it. */
  private Source examine(CheckedLog log, int i) throws IOException {
    Segment segment = log.segments().get(i);
    if (log.isLast(i)) {
      int length = log.requireIntact(i);
      former.requireEndIntact(segment, length);
      return new Source(segment, length, former.keptCopy(segment, length));
    }
    int length = LogFiles.usedBytes(log.segments(), i);
    Copy kept = former.keptCopy(segment, length);
    if (kept == null || kept.length() < length) {
      log.requireIntact(i);
    }
    return new Source(segment, length, kept);
  }

  private void requireRoom(List<Source> sources, Request request) throws IOException {
    for (Source source : sources) {
      bytesToCopy += source.length() - source.from();
    }
    for (byte[] file : request.files().values()) {
      bytesToCopy += file.length;
    }
    long usable = target.usableBytes();
    if (bytesToCopy + request.bytesLeftFree() > usable) {
      throw new IOException(
          "there is no room for the backup: it needs "
              + inMegabytes(bytesToCopy)
              + " MB more, and "
              + inMegabytes(usable)
              + " MB are free"
              + (request.bytesLeftFree() == 0
                  ? ""
                  : ", of which "
                      + inMegabytes(request.bytesLeftFree())
                      + " MB are left for the relay"));
    }
  }

  private static long inMegabytes(long bytes) {
    return (bytes + (1 << 20) - 1) >> 20;
  }

  /** Copies what the former copy of a segment lacks. */
  private Copy copy(Source source) throws IOException {
    Copy kept = source.kept();
    if (kept != null && kept.length() == source.length()) {
      keptSegments++;
      return kept;
    }
    String name = source.segment().name();
    int begun = kept == null ? number : kept.number();
    Disk.File file =
        kept == null
            ? target.create(name + "." + begun, source.length())
            : target.open(kept.fileName());
    try {
      file.resize(source.length());
      String sha256 =
          reader.read(
              source.segment().file(),
              source.length(),
              (bytes, at) -> {
                if (at + bytes.limit() > source.from()) {
                  int known = (int) Math.max(0, source.from() - at);
                  write(file, bytes.position(known), at + known);
                }
              });
      if (sha256 == null) {
        throw new StoreDamaged(name, 0, "the segment is truncated");
      }
      file.sync();
      return new Copy(true, begun, source.length(), sha256, name);
    } finally {
      file.close();
    }
  }

  private void write(Disk.File file, ByteBuffer bytes, long at) throws IOException {
    copiedBytes += bytes.remaining();
    file.write(bytes, at);
    progress.progress(copiedBytes, bytesToCopy);
  }

  private Copy write(String name, byte[] content) throws IOException {
    Disk.File file = target.create(name + "." + number, content.length);
    try {
      write(file, ByteBuffer.wrap(content), 0);
      file.sync();
    } finally {
      file.close();
    }
    return new Copy(false, number, content.length, ContentReader.hash(content), name);
  }

  /** Writes the manifest in place of the former one, and deletes the files that it replaces. */
  private void publish(BackupManifest manifest) throws IOException {
    target.sync();
    ByteBuffer text = ByteBuffer.wrap(manifest.encode());
    Disk.File file = target.create(BackupManifest.UNFINISHED_NAME, text.remaining());
    try {
      file.write(text, 0);
      file.sync();
    } finally {
      file.close();
    }
    target.rename(BackupManifest.UNFINISHED_NAME, BackupManifest.NAME);
    target.sync();
    deleteIfPossible(manifest);
  }
}
