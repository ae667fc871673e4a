package gambit.core.store.disk;

import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.BackupManifest.Copy;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Segment;
import gambit.core.store.disk.log.StoreFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
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
   * @param files further files by name, which only their owner may read
   * @param verifiesKept whether the checksums of kept files are verified; damaged ones are copied
   *     again
   * @param bytesLeftFree on the disk of the backup, else it is not made
   */
  public record Request(
      Path store,
      Map<String, byte[]> files,
      boolean verifiesKept,
      Instant now,
      long bytesLeftFree) {}

  /**
   * The result of a backup, the numbers of which are those of files and bytes.
   *
   * @param keptSegments those that the former backup had and that have not grown
   */
  public record Outcome(
      int number, int segments, int keptSegments, long copiedBytes, long totalBytes) {}

  /** A segment, its length without unused bytes, and its copy in the former backup, if any. */
  private record Source(Segment segment, int length, @Nullable Copy kept) {
    long from() {
      return kept == null ? 0 : kept.length();
    }
  }

  public static boolean canName(String file) {
    return BackupManifest.isListable(file);
  }

  private StoreBackup(
      Disk target, @Nullable BackupManifest former, boolean verifiesKept, StoreProgress progress)
      throws IOException {
    this.target = target;
    this.former = new FormerBackup(former, verifiesKept);
    this.number = former == null ? 1 : former.number() + 1;
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
    StoreBackup backup = new StoreBackup(target, former, request.verifiesKept(), progress);
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
          "there is no room for the backup: it needs %s MB more, and %s MB are free%s"
              .formatted(
                  inMegabytes(bytesToCopy),
                  inMegabytes(usable),
                  request.bytesLeftFree() == 0
                      ? ""
                      : ", of which %s MB are left for the relay"
                          .formatted(inMegabytes(request.bytesLeftFree()))));
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
    try (Disk.File file =
        kept == null
            ? target.create(name + "." + begun, source.length())
            : target.open(kept.fileName())) {
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
    }
  }

  private void write(Disk.File file, ByteBuffer bytes, long at) throws IOException {
    copiedBytes += bytes.remaining();
    file.write(bytes, at);
    progress.progress(copiedBytes, bytesToCopy);
  }

  private Copy write(String name, byte[] content) throws IOException {
    try (Disk.File file = target.create(name + "." + number, content.length)) {
      write(file, ByteBuffer.wrap(content), 0);
      file.sync();
    }
    return new Copy(false, number, content.length, ContentReader.hash(content), name);
  }

  /** Writes the manifest in place of the former one, and deletes the files that it replaces. */
  private void publish(BackupManifest manifest) throws IOException {
    target.sync();
    ByteBuffer text = ByteBuffer.wrap(manifest.encode());
    try (Disk.File file = target.create(BackupManifest.UNFINISHED_NAME, text.remaining())) {
      file.write(text, 0);
      file.sync();
    }
    target.rename(BackupManifest.UNFINISHED_NAME, BackupManifest.NAME);
    target.sync();
    deleteIfPossible(manifest);
  }

  /**
   * The segments of the backup that the directory has already, and which of them the next backup
   * can keep.
   */
  private final class FormerBackup {
    private static final int BUFFER_BYTES = 1 << 20;

    /**
     * Compared at the end of a sealed segment. Segments with equal heads, in which the salt is
     * random, begin equally; if they were continued differently, their ends differ.
     */
    private static final int COMPARED_BYTES = 64 << 10;

    private final boolean isVerified;
    private final Map<String, Copy> copies = new HashMap<>(); // whose files exist, by name
    private final @Nullable Copy last;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer otherBuffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    /** Reads nothing yet; {@code isVerified}: only copies with the right checksum are kept. */
    FormerBackup(@Nullable BackupManifest manifest, boolean isVerified) throws IOException {
      this.isVerified = isVerified;
      Set<String> names = Set.copyOf(target.names());
      Copy end = null;
      if (manifest != null) {
        for (Copy segment : manifest.segments()) {
          end = segment;
          if (names.contains(segment.fileName())) {
            copies.put(segment.name(), segment);
          }
        }
      }
      this.last = end;
    }

    /** The former copy of a segment, if it is the same as the segment or its beginning. */
    @Nullable Copy keptCopy(Segment segment, int length) throws IOException {
      Copy copy = copies.get(segment.name());
      if (copy == null || copy.length() > length) {
        return null;
      }
      boolean wasSealed = !copy.equals(last) && copy.length() == length;
      long from = wasSealed ? Math.max(0, length - COMPARED_BYTES) : 0;
      try (Disk.File file = target.open(copy.fileName())) {
        boolean isKept =
            isSame(segment.file(), file, 0, Segment.HEAD_BYTES)
                && isSame(segment.file(), file, from, copy.length())
                && (!isVerified
                    || copy.sha256().equals(reader.read(file, copy.length(), (bytes, at) -> {})));
        return isKept ? copy : null;
      }
    }

    private boolean isSame(Disk.File one, Disk.File other, long from, long to) throws IOException {
      for (long at = from; at < to; at += BUFFER_BYTES) {
        int length = (int) Math.min(BUFFER_BYTES, to - at);
        if (!Disk.read(one, buffer, at, length) || !Disk.read(other, otherBuffer, at, length)) {
          return false;
        }
        if (!buffer.equals(otherBuffer)) {
          return false;
        }
      }
      return true;
    }

    /**
     * Requires that the groups of a segment do not end at that position only because the next one
     * is damaged, which the log alone does not show.
     */
    void requireEndIntact(Segment segment, int end) throws IOException {
      Copy copy = copies.get(segment.name());
      if (copy == null || copy.length() <= end) {
        return;
      }
      try (Disk.File file = target.open(copy.fileName())) {
        if (isDamaged(segment, end, file, copy.length())) {
          throw new StoreDamaged(
              segment.name(), end, "the group is damaged, and the former backup has it intact");
        }
      }
    }

    /**
     * Whether the copy has a group at that position of which either the head or the body is the
     * same in the segment. A group that another one has replaced, after a power cut before it was
     * acknowledged, has neither. An empty group has no body to tell by.
     */
    private boolean isDamaged(Segment segment, int end, Disk.File copy, long copiedBytes)
        throws IOException {
      ByteBuffer rest = ByteBuffer.allocate((int) (copiedBytes - end)); // less than a segment
      if (!Disk.read(copy, rest, end, rest.capacity())
          || !RecordGroup.isGroup(rest, 0, rest.limit(), segment.salt())) {
        return false;
      }
      ByteBuffer log = segment.view();
      int size = RecordGroup.size(rest, 0);
      if (size > rest.limit() || size > log.capacity() - end) {
        return false;
      }
      int head = RecordGroup.HEAD_BYTES;
      return rest.slice(0, head).equals(log.slice(end, head))
          || (size > head
              && rest.slice(head, size - head).equals(log.slice(end + head, size - head)));
    }
  }
}
