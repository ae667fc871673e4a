package gambit.core.store.disk;

import gambit.core.model.PackedEvent;
import gambit.core.store.StoreDamaged;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Copies the live records of adjacent segments into a new segment of a higher generation, with a
 * table from offsets to positions. One thread; for one use.
 */
final class SegmentRewriter {
  /** Age at which an erasure record is dropped; it has been carried out long before. */
  private static final long ERASURE_RETENTION_SECONDS = Duration.ofDays(30).toSeconds();

  private final LogFiles files;
  private final List<Segment> old;
  private final LogView view;
  private final IndexView index;
  private final long now;
  private final List<LiveRecord> live = new ArrayList<>();

  /** Rewrites adjacent segments; the index has all their records, and the view a later one. */
  SegmentRewriter(LogFiles files, List<Segment> old, LogView view, IndexView index, long now) {
    this.files = files;
    this.old = old;
    this.view = view;
    this.index = index;
    this.now = now;
  }

  private record LiveRecord(Segment segment, int at, long offset) {
    int size() {
      return Records.size(segment.view(), at);
    }

    ByteBuffer bytes() {
      return segment.view().duplicate().limit(at + size()).position(at);
    }
  }

  /** Writes the new segment; returns the name of its file. */
  String write() throws IOException {
    for (Segment segment : old) {
      int end = requireIntact(segment);
      segment.forEachRecord(end, this::addIfLive);
    }
    return writeFile();
  }

  int liveRecords() {
    return live.size();
  }

  long liveBytes() {
    return live.stream().mapToLong(LiveRecord::size).sum();
  }

  /**
   * Checks a segment before it is copied, so that no damaged record gets a valid checksum.
   *
   * @return the position at which its content ends
   * @throws StoreDamaged when a checksum of the segment's groups is wrong
   */
  private int requireIntact(Segment segment) throws StoreDamaged {
    ByteBuffer in = segment.view();
    int end = LogFiles.usedBytes(view.segments(), view.segments().indexOf(segment));
    int at = Segment.HEAD_BYTES;
    if (segment.isRewritten()) {
      at = segment.hasValidChecksum() ? end : at;
    } else {
      while (at < end && RecordGroup.isGroup(in, at, end, segment.salt())) {
        at += RecordGroup.size(in, at);
      }
    }
    if (at < end) {
      files.damagedRecords().report(segment, at);
      throw new StoreDamaged(segment.name(), at, "a checksum is wrong");
    }
    return end;
  }

  private Segment segmentAfter(Segment segment) {
    return view.segments().get(view.segments().indexOf(segment) + 1);
  }

  private void addIfLive(Segment segment, int at, long offset) throws StoreDamaged {
    if (isLive(segment.view(), at, offset)) {
      live.add(new LiveRecord(segment, at, offset));
    }
  }

  /**
   * Whether a record must be kept. A removal must be kept while the removed record is in a file
   * that is not being rewritten.
   */
  private boolean isLive(ByteBuffer in, int at, long offset) throws StoreDamaged {
    return switch (Records.kind(in, at)) {
      case Records.EVENT ->
          IndexUpdate.contains(index, PackedEvent.id(in, Records.packedEventAt(at)), offset);
      case Records.ROW ->
          IndexUpdate.rowOffset(index, Records.table(in, at), Records.key(in, at)) == offset;
      case Records.ERASURE -> now - Records.erasureTime(in, at) < ERASURE_RETENTION_SECONDS;
      case Records.REMOVAL -> {
        long target = Records.target(in, at);
        yield !old.contains(view.segmentOf(target)) && view.contains(target);
      }
      default ->
          throw new StoreDamaged(view.segmentOf(offset).name(), at, "unknown kind of record");
    };
  }

  private String writeFile() throws IOException {
    Segment first = old.get(0);
    Segment following = segmentAfter(old.get(old.size() - 1));
    int generation = old.stream().mapToInt(Segment::generation).max().orElse(0) + 1;
    long size = Segment.HEAD_BYTES + Segment.FOOT_BYTES;
    for (LiveRecord record : live) {
      size += record.size() + Segment.ENTRY_BYTES;
    }
    ByteBuffer head =
        Segment.head(
            true,
            first.base(),
            following.base(),
            first.firstSequence(),
            following.firstSequence() - 1,
            generation);
    String name = Segment.fileName(first.base(), generation);
    files.write(name, size, file -> fill(file, head));
    return name;
  }

  private void fill(Disk.File file, ByteBuffer head) throws IOException {
    Appender out = new Appender(file);
    out.put(head);
    int[] positions = new int[live.size()];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = out.written;
      out.put(live.get(i).bytes());
    }
    ByteBuffer entry = ByteBuffer.allocate(Segment.ENTRY_BYTES);
    for (int i = 0; i < positions.length; i++) {
      out.put(entry.clear().putLong(live.get(i).offset()).putInt(positions[i]).flip());
    }
    out.put(ByteBuffer.allocate(4).putInt(0, positions.length));
    out.put(ByteBuffer.allocate(4).putInt(0, (int) out.crc.getValue()));
    out.flush();
  }

  /** Writes a file sequentially through a buffer. */
  private static final class Appender {
    private final Disk.File file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 18);
    private final CRC32C crc = new CRC32C();
    private int written;
    private int flushed;

    Appender(Disk.File file) {
      this.file = file;
    }

    void put(ByteBuffer bytes) throws IOException {
      crc.update(bytes.duplicate());
      written += bytes.remaining();
      while (bytes.hasRemaining()) {
        int length = Math.min(bytes.remaining(), buffer.remaining());
        buffer.put(bytes.duplicate().limit(bytes.position() + length));
        bytes.position(bytes.position() + length);
        if (!buffer.hasRemaining()) {
          flush();
        }
      }
    }

    void flush() throws IOException {
      int length = buffer.flip().remaining();
      file.write(buffer, flushed);
      flushed += length;
      buffer.clear();
    }
  }
}
