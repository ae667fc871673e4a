package gambit.core.store.disk;

import gambit.core.model.PackedEvent;
import gambit.core.store.disk.IndexUpdate.DeadBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.lmdbjava.LmdbException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reclaims the space of dead records: it copies the live records of sealed segments into a new
 * segment, which replaces them. One thread. The store continues meanwhile and waits only while
 * files are exchanged.
 */
final class SpaceReclaimer {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceReclaimer.class);

  /** Age of erased bytes at which their segment is rewritten. */
  private static final long ERASURE_DELAY_SECONDS = Duration.ofHours(12).toSeconds();

  /** Age at which an erasure record is dropped; it has been carried out long before. */
  private static final long ERASURE_RETENTION_SECONDS = Duration.ofDays(30).toSeconds();

  /** A segment is rewritten when one in this number of bytes is dead. */
  private static final int DEAD_SHARE_DIVISOR = 3;

  private final EventLog log;
  private final LogFiles files;
  private final Index index;
  private final ReentrantLock writeLock;

  /** Bases of the segments that could not be rewritten in this round. */
  private final Set<Long> failedBases = new HashSet<>();

  /**
   * Creates a reclaimer.
   *
   * @param writeLock the store's write lock
   */
  SpaceReclaimer(EventLog log, Index index, ReentrantLock writeLock) {
    this.log = log;
    this.files = log.files();
    this.index = index;
    this.writeLock = writeLock;
  }

  /** A sealed segment with its size and dead bytes. */
  private record SealedSegment(Segment segment, int size, DeadBytes dead) {
    long liveBytes() {
      return size - dead.bytes();
    }

    boolean isDue(long now) {
      return dead.bytes() * DEAD_SHARE_DIVISOR >= size || isErasureDue(dead, now);
    }
  }

  /**
   * Compares the absolute age, so that a clock that was set back does not postpone erasures for
   * long.
   */
  private static boolean isErasureDue(DeadBytes dead, long now) {
    return dead.erasedSince() != 0 && Math.abs(now - dead.erasedSince()) >= ERASURE_DELAY_SECONDS;
  }

  /**
   * Rewrites one run of adjacent segments that are due, if there is one.
   *
   * @return whether there may be more to do
   */
  boolean run(long now) {
    if (failedBases.isEmpty()) {
      reassignDeadBytes();
      sealActive(now);
    }
    // The log view comes first: everything in its sealed segments is indexed by then.
    try (LogView view = files.view();
        IndexReader reader = index.beginReading()) {
      List<SealedSegment> run = nextRun(sealedSegments(view, reader), now);
      if (run.isEmpty()) {
        failedBases.clear();
        return false;
      }
      rewriteOrSkip(run, view, reader, now);
      return true;
    }
  }

  /** Segments that cannot be rewritten do not block others. */
  private void rewriteOrSkip(List<SealedSegment> run, LogView view, IndexView reader, long now) {
    try {
      rewrite(run, view, reader, now);
    } catch (IOException | LmdbException e) {
      LOG.warn("Space of the event log could not be reclaimed; will try again later", e);
      run.forEach(it -> failedBases.add(it.segment().base()));
    }
  }

  /** Moves the dead bytes counted for replaced segments to the segments that replaced them. */
  private void reassignDeadBytes() {
    writeLock.lock();
    try (LogView view = files.view();
        IndexWriter writer = new IndexWriter(index)) {
      IndexUpdate update = new IndexUpdate(writer);
      if (update.reassignDeadBytes(view)) {
        update.write(null);
        writer.commit();
      }
    } catch (IOException | LmdbException e) {
      LOG.warn("The dead bytes of rewritten segments could not be counted", e);
    } finally {
      writeLock.unlock();
    }
  }

  /** Seals the active segment if an erasure in it is due: only sealed segments can be rewritten. */
  private void sealActive(long now) {
    writeLock.lock();
    try {
      DeadBytes dead;
      try (IndexReader reader = index.beginReading()) {
        dead = IndexUpdate.deadBytes(reader, log.activeBase());
      }
      if (isErasureDue(dead, now)) {
        log.roll(0);
      }
    } catch (IOException | LmdbException e) {
      LOG.warn("The active segment could not be sealed; will try again later", e);
    } finally {
      writeLock.unlock();
    }
  }

  private static List<SealedSegment> sealedSegments(LogView view, IndexView index) {
    List<SealedSegment> sealed = new ArrayList<>();
    List<Segment> segments = view.segments();
    for (int i = 0; i < segments.size() - 1; i++) {
      Segment segment = segments.get(i);
      sealed.add(
          new SealedSegment(
              segment,
              LogFiles.usedBytes(segments, i),
              IndexUpdate.deadBytes(index, segment.base())));
    }
    return sealed;
  }

  /**
   * The first segment that is due, and its neighbours as long as their live records fit into one
   * segment.
   */
  private List<SealedSegment> nextRun(List<SealedSegment> sealed, long now) {
    int first = 0;
    while (first < sealed.size() && !canBeginRun(sealed.get(first), now)) {
      first++;
    }
    if (first == sealed.size()) {
      return List.of();
    }
    int last = first;
    long liveBytes = sealed.get(first).liveBytes();
    while (first > 0 && canJoin(sealed.get(first - 1), liveBytes, now)) {
      liveBytes += sealed.get(--first).liveBytes();
    }
    while (last + 1 < sealed.size() && canJoin(sealed.get(last + 1), liveBytes, now)) {
      liveBytes += sealed.get(++last).liveBytes();
    }
    return sealed.subList(first, last + 1);
  }

  private boolean canBeginRun(SealedSegment it, long now) {
    return it.isDue(now) && !failedBases.contains(it.segment().base());
  }

  private boolean canJoin(SealedSegment neighbour, long liveBytes, long now) {
    return !failedBases.contains(neighbour.segment().base())
        && (neighbour.isDue(now) || neighbour.size() < files.segmentBytes() / 2)
        && liveBytes + neighbour.liveBytes() <= files.segmentBytes();
  }

  /** A live record and its position. */
  private record LiveRecord(Segment segment, int at, long offset) {
    int size() {
      return Records.size(segment.view(), at)
          + (Records.hasChecksum(segment.view(), at) ? 0 : Records.CHECKSUM_BYTES);
    }

    /** The record with its checksum. */
    ByteBuffer bytes() {
      return Records.hasChecksum(segment.view(), at)
          ? segment.view().duplicate().limit(at + size()).position(at)
          : Records.sealedCopy(segment.view(), at, offset);
    }
  }

  private void rewrite(List<SealedSegment> run, LogView view, IndexView reader, long now)
      throws IOException {
    List<Segment> old = run.stream().map(SealedSegment::segment).toList();
    List<LiveRecord> live = new ArrayList<>();
    for (Segment segment : old) {
      requireIntact(segment, view);
      collectLive(segment, old, view, reader, now, live);
    }
    String name = write(old, view, live);
    long bytesBefore = run.stream().mapToLong(SealedSegment::size).sum();
    try {
      replaceSegments(run, name);
    } finally {
      files.deleteIfUnused(name);
    }
    LOG.info(
        "Rewrote {} segments of the event log: {} MB before, {} records of {} MB now",
        old.size(),
        bytesBefore >> 20,
        live.size(),
        live.stream().mapToLong(LiveRecord::size).sum() >> 20);
  }

  /**
   * Checks a segment before it is copied, so that no damaged record gets a valid checksum.
   *
   * @throws StoreDamaged when a checksum of the segment's groups is wrong
   */
  private void requireIntact(Segment segment, LogView view) throws StoreDamaged {
    ByteBuffer in = segment.view();
    int bad = -1;
    if (segment.isRewritten()) {
      bad = segment.hasValidChecksum() ? -1 : Segment.HEAD_BYTES;
    } else {
      int end = LogFiles.usedBytes(view.segments(), view.segments().indexOf(segment));
      int at = Segment.HEAD_BYTES;
      while (at < end && RecordGroup.isGroup(in, at, end, segment.salt())) {
        at += RecordGroup.size(in, at);
      }
      bad = at < end ? at : -1;
    }
    if (bad >= 0) {
      files.damagedRecords().report(segment, bad);
      throw new StoreDamaged(segment.name(), bad, "a checksum is wrong");
    }
  }

  private static void collectLive(
      Segment segment,
      List<Segment> old,
      LogView view,
      IndexView index,
      long now,
      List<LiveRecord> live) {
    ByteBuffer in = segment.view();
    if (segment.isRewritten()) {
      for (int i = 0; i < segment.recordCount(); i++) {
        if (isLive(in, segment.positionAt(i), segment.offsetAt(i), old, view, index, now)) {
          live.add(new LiveRecord(segment, segment.positionAt(i), segment.offsetAt(i)));
        }
      }
      return;
    }
    int end = segment.position(view.segments().get(view.segments().indexOf(segment) + 1).base());
    for (int group = Segment.HEAD_BYTES; group < end; group += RecordGroup.size(in, group)) {
      int at = group + RecordGroup.HEAD_BYTES;
      for (int i = 0; i < RecordGroup.recordCount(in, group); i++) {
        if (isLive(in, at, segment.offsetOf(at), old, view, index, now)) {
          live.add(new LiveRecord(segment, at, segment.offsetOf(at)));
        }
        at += Records.size(in, at);
      }
    }
  }

  /**
   * Whether a record must be kept. A removal must be kept while the removed record is in a file
   * that is not being rewritten.
   */
  private static boolean isLive(
      ByteBuffer in,
      int at,
      long offset,
      List<Segment> old,
      LogView view,
      IndexView index,
      long now) {
    return switch (Records.kind(in, at)) {
      case Records.EVENT ->
          IndexUpdate.contains(index, PackedEvent.id(in, Records.packedEventAt(at)), offset);
      case Records.ROW ->
          IndexUpdate.rowOffset(index, Records.table(in, at), Records.key(in, at)) == offset;
      case Records.ERASURE -> now - Records.erasureTime(in, at) < ERASURE_RETENTION_SECONDS;
      default -> {
        long target = Records.target(in, at);
        yield !old.contains(view.segmentOf(target)) && view.contains(target);
      }
    };
  }

  private String write(List<Segment> old, LogView view, List<LiveRecord> live) throws IOException {
    Segment first = old.get(0);
    Segment following = view.segments().get(view.segments().indexOf(old.get(old.size() - 1)) + 1);
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
    files.write(name, size, file -> fill(file, head, live));
    return name;
  }

  private static void fill(Disk.File file, ByteBuffer head, List<LiveRecord> live)
      throws IOException {
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

  /**
   * Exchanges the files. Records that died since the copy began are still in the new segment and
   * count as its dead bytes.
   */
  private void replaceSegments(List<SealedSegment> run, String name) throws IOException {
    writeLock.lock();
    try (IndexWriter writer = new IndexWriter(index)) {
      files.replace(run.stream().map(SealedSegment::segment).toList(), name);
      IndexUpdate update = new IndexUpdate(writer);
      long newDeadBytes = 0;
      long erasedSince = 0;
      for (SealedSegment old : run) {
        DeadBytes dead = IndexUpdate.deadBytes(writer, old.segment().base());
        long more = dead.bytes() - old.dead().bytes();
        newDeadBytes += more;
        if (more > 0) {
          erasedSince = Math.max(erasedSince, dead.erasedSince());
        }
        update.setDeadBytes(old.segment().base(), DeadBytes.NONE);
      }
      update.setDeadBytes(run.get(0).segment().base(), new DeadBytes(newDeadBytes, erasedSince));
      update.write(null);
      writer.commit();
    } finally {
      writeLock.unlock();
    }
  }
}
