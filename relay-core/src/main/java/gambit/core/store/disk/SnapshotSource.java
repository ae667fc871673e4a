package gambit.core.store.disk;

import gambit.core.store.StoreDamaged;
import gambit.core.store.disk.BackupManifest.Copy;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.Segment;
import gambit.core.store.disk.log.StoreFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a store's log as of one moment, to be copied elsewhere while the store is in use: a
 * snapshot. It has every group that was committed before, ends with a complete group, and has no
 * file but those of the log, so none with a key. One thread.
 */
public final class SnapshotSource implements AutoCloseable {
  private static final int NUMBER = 1; // snapshots do not build upon each other
  private static final int BUFFER_BYTES = 1 << 20;

  private final CheckedLog log;
  private final BackupManifest manifest;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  private SnapshotSource(
      CheckedLog log, String format, @Nullable BackupManifest former, Instant now)
      throws IOException {
    this.log = log;
    ContentReader reader = new ContentReader();
    Map<String, Copy> known = new HashMap<>();
    if (former != null) {
      former.files().forEach(it -> known.put(it.name(), it));
    }
    List<Copy> copies = new ArrayList<>();
    for (int i = 0; i < log.segments().size(); i++) {
      Segment segment = log.segments().get(i);
      Copy copy = log.isLast(i) ? null : known.get(segment.name());
      if (copy == null || copy.length() != LogFiles.usedBytes(log.segments(), i)) {
        int length = log.requireIntact(i);
        String hash = reader.read(segment.file(), length, (bytes, at) -> {});
        if (hash == null) {
          throw truncated(segment, 0);
        }
        copy = new Copy(true, NUMBER, length, hash, segment.name());
      }
      copies.add(copy);
    }
    this.manifest = new BackupManifest(NUMBER, now, format, log.end(), log.nextSequence(), copies);
  }

  /**
   * Opens the files of a store, and verifies those that are new.
   *
   * @param former the snapshot that this process has made before, if any: its files are not read
   *     again, since a file never changes but by growing
   * @throws StoreDamaged when the log is damaged
   */
  public static SnapshotSource open(Path store, @Nullable BackupManifest former, Instant now)
      throws IOException {
    CheckedLog log = CheckedLog.open(StoreCheck.openLog(store));
    try {
      return new SnapshotSource(log, StoreFormat.read(store), former, now);
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private static StoreDamaged truncated(Segment segment, long at) {
    return new StoreDamaged(segment.name(), at, "the segment is truncated");
  }

  public BackupManifest list() {
    return manifest;
  }

  public InputStream read(Copy file) {
    Segment segment =
        log.segments().stream()
            .filter(it -> it.name().equals(file.name()))
            .findFirst()
            .orElseThrow();
    return new Content(segment, file.length());
  }

  private final class Content extends InputStream {
    private final Segment segment;
    private final long length;
    private long at;

    private Content(Segment segment, long length) {
      this.segment = segment;
      this.length = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int from, int count) throws IOException {
      if (at >= length) {
        return -1;
      }
      int portion = (int) Math.min(Math.min(count, BUFFER_BYTES), length - at);
      if (!Disk.read(segment.file(), buffer, at, portion)) {
        throw truncated(segment, at);
      }
      buffer.get(to, from, portion);
      at += portion;
      return portion;
    }
  }

  @Override
  public void close() {
    log.close();
  }
}
