package gambit.core.store.disk;

import gambit.core.model.PackedEvent;
import gambit.core.store.StoreDamaged;
import gambit.core.store.disk.index.Index;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexUpdate.DeadBytes;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.IndexWriter;
import gambit.core.store.disk.lmdb.LmdbException;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.EventLog;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reclaims the space of dead records: it selects sealed segments, copies their live records into a
 * new segment, and replaces them by it. One thread. The store continues meanwhile and waits only
 * while files are exchanged.
 */
final class SpaceReclaimer {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceReclaimer.class);

  /** Age of erased bytes at which their segment is rewritten. */
  private static final long ERASURE_DELAY_SECONDS = Duration.ofHours(12).toSeconds();

  /** A segment is rewritten when one in this number of bytes is dead. */
  private static final int DEAD_SHARE_DIVISOR = 3;

  private final EventLog log;
  private final LogFiles files;
  private final Index index;
  private final ReentrantLock writeLock;

  /** Bases of the segments that could not be rewritten in this round. */
  private final Set<Long> failedBases = new HashSet<>();

  SpaceReclaimer(EventLog log, Index index, ReentrantLock writeLock) {
    this.log = log;
    this.files = log.files();
    this.index = index;
    this.writeLock = writeLock;
  }

  private record SealedSegment(Segment segment, int size, DeadBytes dead) {
    long liveBytes() {
      return size - dead.bytes();
    }

    boolean isDue(long now) {
      return dead.bytes() * DEAD_SHARE_DIVISOR >= size || isErasureDue(dead, now);
    }
  }

  /** By the absolute age: a clock that was set back does not postpone erasures for long. */
  private static boolean isErasureDue(DeadBytes dead, long now) {
    return dead.erasedSince() != 0 && Math.abs(now - dead.erasedSince()) >= ERASURE_DELAY_SECONDS;
  }

  /** Rewrites one run of adjacent segments that are due; returns whether there may be more. */
  boolean run(long now) {
    if (failedBases.isEmpty()) {
      reassignDeadBytes();
      sealActive(now);
    }
    // The log view comes first: LMDB then has everything in its sealed segments. Later changes are
    // not read: after a kill, the log is replayed, and needs the records that they remove.
    try (LogView view = files.view();
        IndexView reader = flushed()) {
      List<SealedSegment> run = nextRun(sealedSegments(view, reader), now);
      if (run.isEmpty()) {
        failedBases.clear();
        return false;
      }
      rewriteOrSkip(run, view, reader, now);
      return true;
    } catch (IOException e) {
      LOG.warn("Space of the event log cannot be reclaimed while the index cannot be written", e);
      return false;
    }
  }

  private IndexView flushed() throws IOException {
    index.flush();
    return index.beginReadingStored();
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
        IndexWriter writer = index.beginWriting()) {
      IndexUpdate update = writer.update();
      if (update.reassignDeadBytes(view)) {
        update.write(null);
        writer.commit();
      }
    } catch (LmdbException e) {
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
      try (IndexView reader = index.beginReading()) {
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

  private void rewrite(List<SealedSegment> run, LogView view, IndexView reader, long now)
      throws IOException {
    List<Segment> old = run.stream().map(SealedSegment::segment).toList();
    SegmentRewriter rewriter = new SegmentRewriter(files, old, view, reader, now);
    String name = rewriter.write();
    try {
      replaceSegments(run, name);
    } finally {
      files.deleteIfUnused(name);
    }
    LOG.info(
        "Rewrote {} segments of the event log: {} MB before, {} records of {} MB now",
        old.size(),
        run.stream().mapToLong(SealedSegment::size).sum() >> 20,
        rewriter.live.size(),
        rewriter.liveBytes() >> 20);
  }

  /**
   * Exchanges the files. Records that died since the copy began are still in the new segment and
   * count as its dead bytes.
   */
  private void replaceSegments(List<SealedSegment> run, String name) throws IOException {
    writeLock.lock();
    try (IndexWriter writer = index.beginWriting()) {
      files.replace(run.stream().map(SealedSegment::segment).toList(), name);
      IndexUpdate update = writer.update();
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
    index.flush(); // else a kill would leave the dead bytes of the old segments
  }

  /**
   * Copies the live records of adjacent segments into a new segment of a higher generation, with a
   * table from offsets to positions. For one use.
   */
  private static final class SegmentRewriter {
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
        segment.forEachRecord(
            end,
            (it, at, offset) -> {
              if (isLive(it.view(), at, offset)) {
                live.add(new LiveRecord(it, at, offset));
              }
            });
      }
      return writeFile();
    }

    long liveBytes() {
      return live.stream().mapToLong(LiveRecord::size).sum();
    }

    /**
     * Checks a segment before it is copied, so that no damaged record gets a valid checksum;
     * returns the position at which its content ends.
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
}
