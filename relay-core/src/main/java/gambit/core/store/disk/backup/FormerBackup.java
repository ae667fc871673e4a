package gambit.core.store.disk.backup;

import gambit.core.store.StoreDamaged;
import gambit.core.store.disk.backup.BackupManifest.Copy;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The segments of the backup that a directory has already, and which of them the next backup can
 * keep. One thread.
 */
public final class FormerBackup {
  private static final int BUFFER_BYTES = 1 << 20;

  /**
   * Compared at the end of a sealed segment. Segments with equal heads, in which the salt is
   * random, begin equally; if they were continued differently, their ends differ.
   */
  private static final int COMPARED_BYTES = 64 << 10;

  private final Disk directory;
  private final boolean isVerified;
  private final Map<String, Copy> copies = new HashMap<>(); // whose files exist, by name
  private final @Nullable Copy last;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ContentReader reader = new ContentReader();
  private final ByteBuffer otherBuffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /** Reads nothing yet; {@code isVerified}: only copies with the right checksum are kept. */
  public FormerBackup(Disk directory, @Nullable BackupManifest manifest, boolean isVerified)
      throws IOException {
    this.directory = directory;
    this.isVerified = isVerified;
    Set<String> names = Set.copyOf(directory.names());
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
  public @Nullable Copy keptCopy(Segment segment, int length) throws IOException {
    Copy copy = copies.get(segment.name());
    if (copy == null || copy.length() > length) {
      return null;
    }
    boolean wasSealed = !copy.equals(last) && copy.length() == length;
    long from = wasSealed ? Math.max(0, length - COMPARED_BYTES) : 0;
    Disk.File file = directory.open(copy.fileName());
    try {
      boolean isKept =
          isSame(segment.file(), file, 0, Segment.HEAD_BYTES)
              && isSame(segment.file(), file, from, copy.length())
              && (!isVerified
                  || copy.sha256().equals(reader.read(file, copy.length(), (bytes, at) -> {})));
      return isKept ? copy : null;
    } finally {
      file.close();
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
   * Requires that the groups of a segment do not end only because the next one is damaged, which
   * the log alone does not show.
   *
   * @param end the position at which the segment's groups end
   * @throws StoreDamaged when the copy has that group intact
   */
  public void requireEndIntact(Segment segment, int end) throws IOException {
    Copy copy = copies.get(segment.name());
    if (copy == null || copy.length() <= end) {
      return;
    }
    Disk.File file = directory.open(copy.fileName());
    try {
      if (isDamaged(segment, end, file, copy.length())) {
        throw new StoreDamaged(
            segment.name(), end, "the group is damaged, and the former backup has it intact");
      }
    } finally {
      file.close();
    }
  }

  /**
   * Whether the copy has a group at that position of which either the head or the body is the same
   * in the segment. A group that another one has replaced, after a power cut before it was
   * acknowledged, has neither. An empty group has no body to tell by.
   */
  private static boolean isDamaged(Segment segment, int end, Disk.File copy, long copiedBytes)
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
