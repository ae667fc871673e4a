package gambit.core.store.disk.backup;

import gambit.core.store.StoreDamaged;
import gambit.core.store.disk.backup.BackupManifest.Copy;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes a damaged group at the end of a log from an unfinished one, with an earlier copy of
 * the segment. The log alone does not show the difference.
 */
public final class LastGroup {
  private LastGroup() {}

  /**
   * Requires that the groups of a segment do not end only because the next one is damaged.
   *
   * @param end the position at which the segment's groups end
   * @param backup has the earlier copy
   * @param copy null if there is none
   * @throws StoreDamaged when the copy has that group intact
   */
  public static void requireIntact(Segment segment, int end, Disk backup, @Nullable Copy copy)
      throws IOException {
    if (copy == null || copy.length() <= end) {
      return;
    }
    Disk.File file = backup.open(copy.fileName());
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
