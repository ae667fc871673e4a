package gambit.core.store.disk;

import gambit.core.store.StoreDamaged;
import gambit.core.store.disk.backup.BackupManifest;
import gambit.core.store.disk.backup.BackupManifest.Copy;
import gambit.core.store.disk.backup.ContentReader;
import gambit.core.store.disk.check.CheckedLog;
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

/**
 * The files of a store's log as of one moment, to be copied elsewhere while the store is in use: a
 * snapshot. It has every group that was committed before, ends with a complete group, and has no
 * file but those of the log, so none with a key. The list of the files has the form of a {@link
 * BackupManifest}. One thread.
 */
public final class SnapshotSource implements AutoCloseable {
  private static final int NUMBER = 1; // snapshots do not build upon each other
  private static final int BUFFER_BYTES = 1 << 20;

  private final CheckedLog log;
  private final BackupManifest manifest;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /** Hashes of sealed files, by name and length; a sealed file of that name never changes. */
  public static final class KnownFiles {
    private final Map<String, String> hashes = new HashMap<>();

    /** Knows none. */
    public KnownFiles() {}

    private static String key(Segment segment, int length) {
      return segment.name() + " " + length;
    }
  }

  private SnapshotSource(CheckedLog log, String format, KnownFiles known, Instant now)
      throws IOException {
    this.log = log;
    ContentReader reader = new ContentReader();
    Map<String, String> hashes = new HashMap<>();
    List<Copy> copies = new ArrayList<>();
    for (int i = 0; i < log.segments().size(); i++) {
      Segment segment = log.segments().get(i);
      int length = log.isLast(i) ? 0 : LogFiles.usedBytes(log.segments(), i);
      String hash = log.isLast(i) ? null : known.hashes.get(KnownFiles.key(segment, length));
      if (hash == null) {
        length = log.requireIntact(i);
        hash = reader.read(segment.file(), length, (bytes, at) -> {});
      }
      if (hash == null) {
        throw new StoreDamaged(segment.name(), 0, "the segment is truncated");
      }
      if (!log.isLast(i)) {
        hashes.put(KnownFiles.key(segment, length), hash);
      }
      copies.add(new Copy(true, NUMBER, length, hash, segment.name()));
    }
    known.hashes.clear();
    known.hashes.putAll(hashes);
    this.manifest = new BackupManifest(NUMBER, now, format, log.end(), log.nextSequence(), copies);
  }

  /**
   * Opens the files of a store, and verifies those that are not known.
   *
   * @param store its directory
   * @param known is updated
   * @param now the time that the snapshot bears
   * @throws StoreDamaged when the log is damaged
   */
  public static SnapshotSource open(Path store, KnownFiles known, Instant now) throws IOException {
    CheckedLog log = CheckedLog.open(StoreCheck.openLog(store));
    try {
      return new SnapshotSource(log, StoreFormat.read(store), known, now);
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private void read(Segment segment, long at, int length) throws IOException {
    if (!Disk.read(segment.file(), buffer, at, length)) {
      throw new StoreDamaged(segment.name(), (int) at, "the segment is truncated");
    }
  }

  /** The list of the files, as it is given to {@link SnapshotTarget}. */
  public SnapshotList list() {
    return new SnapshotList(manifest);
  }

  /** The content of a file of the list; one at a time is read. */
  public InputStream read(SnapshotList.File file) {
    Segment segment =
        log.segments().stream()
            .filter(it -> it.name().equals(file.name()))
            .findFirst()
            .orElseThrow();
    return new Content(segment, file.length());
  }

  /** The first bytes of a segment. */
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
      SnapshotSource.this.read(segment, at, portion);
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
