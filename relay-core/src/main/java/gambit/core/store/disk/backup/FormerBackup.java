package gambit.core.store.disk.backup;

import gambit.core.store.disk.backup.BackupManifest.Copy;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
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
  private final ByteBuffer otherBuffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /**
   * Reads nothing yet.
   *
   * @param manifest null if the directory has no backup
   * @param isVerified whether only copies with the right checksum are kept
   */
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

  /** The copy of a segment of that name, which may have been another one. */
  public @Nullable Copy copy(String name) {
    return copies.get(name);
  }

  /** The former copy of a segment, if it is the same as the segment or its beginning. */
  public @Nullable Copy keptCopy(Segment segment, int length) throws IOException {
    Copy copy = copy(segment.name());
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
              && (!isVerified || isIntact(file, copy));
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

  private boolean isIntact(Disk.File file, Copy copy) throws IOException {
    MessageDigest digest = BackupManifest.sha256();
    for (long at = 0; at < copy.length(); at += BUFFER_BYTES) {
      if (!Disk.read(file, buffer, at, (int) Math.min(BUFFER_BYTES, copy.length() - at))) {
        return false;
      }
      digest.update(buffer);
    }
    return HexFormat.of().formatHex(digest.digest()).equals(copy.sha256());
  }
}
