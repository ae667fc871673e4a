package gambit.core.store.disk;

import gambit.core.model.PackedEvent;
import gambit.core.store.disk.IndexUpdate.Dead;
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
 * Gives back the room of records that are not wanted any more: it copies what is still wanted of
 * sealed segments into a new one, which takes their place. One thread; the store goes on meanwhile,
 * and waits only while files change places.
 */
final class Reclaiming {
  private static final Logger LOG = LoggerFactory.getLogger(Reclaiming.class);

  /** Erased bytes stay so long at most before their segment is rewritten, in seconds. */
  private static final long ERASED_AFTER = Duration.ofHours(12).toSeconds();

  /** An erasure has been carried out long before, in seconds. */
  private static final long ERASURE_KEPT = Duration.ofDays(30).toSeconds();

  /** A segment is rewritten when this part of it is not wanted any more: one in so many bytes. */
  private static final int WORTH_IT = 3;

  private final EventLog log;
  private final LogFiles files;
  private final Index index;
  private final ReentrantLock writing;

  /** What could not be rewritten in this round, by its lowest offset. */
  private final Set<Long> failed = new HashSet<>();

  /**
   * Prepares to reclaim.
   *
   * @param writing the store's write lock
   */
  Reclaiming(EventLog log, Index index, ReentrantLock writing) {
    this.log = log;
    this.files = log.files();
    this.index = index;
    this.writing = writing;
  }

  /** A sealed segment and what is known of it. */
  private record Sealed(Segment segment, int size, Dead dead) {
    long wanted() {
      return size - dead.bytes();
    }

    boolean isDue(long now) {
      return dead.bytes() * WORTH_IT >= size || isErasureDue(dead, now);
    }
  }

  /** A clock that went back does not keep erased bytes alive. */
  private static boolean isErasureDue(Dead dead, long now) {
    return dead.erasedSince() != 0 && Math.abs(now - dead.erasedSince()) >= ERASED_AFTER;
  }

  /**
   * Rewrites one run of segments that are due, if there is one.
   *
   * @return whether there may be more to do
   */
  boolean run(long now) {
    if (failed.isEmpty()) {
      foldDead();
      sealActive(now);
    }
    // First the log: what is sealed in it is in the index already.
    try (LogView view = files.view();
        IndexReader reader = index.read()) {
      List<Sealed> run = nextRun(sealed(view, reader), now);
      if (run.isEmpty()) {
        failed.clear();
        return false;
      }
      rewriteOrSkip(run, view, reader, now);
      return true;
    }
  }

  /** What finds no room does not keep others from being rewritten. */
  private void rewriteOrSkip(List<Sealed> run, LogView view, IndexView reader, long now) {
    try {
      rewrite(run, view, reader, now);
    } catch (IOException | LmdbException e) {
      LOG.warn("Room of the event log could not be reclaimed; it is tried again later", e);
      run.forEach(it -> failed.add(it.segment().base()));
    }
  }

  /** What is said of a segment that was rewritten with others holds for the one they are in now. */
  private void foldDead() {
    writing.lock();
    try (LogView view = files.view();
        IndexWriter writer = new IndexWriter(index)) {
      IndexUpdate update = new IndexUpdate(writer);
      if (update.foldDead(view)) {
        update.finish(null);
        writer.commit();
      }
    } catch (IOException | LmdbException e) {
      LOG.warn("What is dead in rewritten segments could not be counted", e);
    } finally {
      writing.unlock();
    }
  }

  /** What is in the segment that grows can be reclaimed only when it does not grow any more. */
  private void sealActive(long now) {
    writing.lock();
    try {
      Dead dead;
      try (IndexReader reader = index.read()) {
        dead = IndexUpdate.dead(reader, log.activeBase());
      }
      if (isErasureDue(dead, now)) {
        log.roll(0);
      }
    } catch (IOException | LmdbException e) {
      LOG.warn("The segment that grows could not be sealed; it is tried again later", e);
    } finally {
      writing.unlock();
    }
  }

  private static List<Sealed> sealed(LogView view, IndexView index) {
    List<Sealed> sealed = new ArrayList<>();
    List<Segment> segments = view.segments();
    for (int i = 0; i < segments.size() - 1; i++) {
      Segment segment = segments.get(i);
      sealed.add(
          new Sealed(segment, LogFiles.size(segments, i), IndexUpdate.dead(index, segment.base())));
    }
    return sealed;
  }

  /** The first segment that is due, with neighbours as long as all that is wanted fits into one. */
  private List<Sealed> nextRun(List<Sealed> sealed, long now) {
    int first = 0;
    while (first < sealed.size() && !isNext(sealed.get(first), now)) {
      first++;
    }
    if (first == sealed.size()) {
      return List.of();
    }
    int last = first;
    long wanted = sealed.get(first).wanted();
    while (first > 0 && joins(sealed.get(first - 1), wanted, now)) {
      wanted += sealed.get(--first).wanted();
    }
    while (last + 1 < sealed.size() && joins(sealed.get(last + 1), wanted, now)) {
      wanted += sealed.get(++last).wanted();
    }
    return sealed.subList(first, last + 1);
  }

  private boolean isNext(Sealed it, long now) {
    return it.isDue(now) && !failed.contains(it.segment().base());
  }

  private boolean joins(Sealed neighbour, long wanted, long now) {
    return !failed.contains(neighbour.segment().base())
        && (neighbour.isDue(now) || neighbour.size() < files.segmentBytes() / 2)
        && wanted + neighbour.wanted() <= files.segmentBytes();
  }

  /** A record that is still wanted, and where it stands. */
  private record Wanted(Segment segment, int at, long offset) {
    int size() {
      return Records.size(segment.view(), at)
          + (Records.hasChecksum(segment.view(), at) ? 0 : Records.CHECKSUM);
    }

    /** The record with its checksum. */
    ByteBuffer bytes() {
      return Records.hasChecksum(segment.view(), at)
          ? segment.view().duplicate().limit(at + size()).position(at)
          : Records.sealedCopy(segment.view(), at, offset);
    }
  }

  private void rewrite(List<Sealed> run, LogView view, IndexView reader, long now)
      throws IOException {
    List<Segment> old = run.stream().map(Sealed::segment).toList();
    List<Wanted> wanted = new ArrayList<>();
    for (Segment segment : old) {
      requireIntact(segment, view);
      collect(segment, old, view, reader, now, wanted);
    }
    String name = write(old, view, wanted);
    long before = run.stream().mapToLong(Sealed::size).sum();
    try {
      swap(run, name);
    } finally {
      files.takeBack(name);
    }
    LOG.info(
        "Rewrote {} segments of the event log: {} MB before, {} records of {} MB now",
        old.size(),
        before >> 20,
        wanted.size(),
        wanted.stream().mapToLong(Wanted::size).sum() >> 20);
  }

  /**
   * Nothing that is damaged is copied, or gets another checksum.
   *
   * @throws StoreDamaged when a checksum of the segment's groups is wrong
   */
  private void requireIntact(Segment segment, LogView view) throws StoreDamaged {
    ByteBuffer in = segment.view();
    int bad = -1;
    if (segment.isRewritten()) {
      bad = segment.hasRightChecksum() ? -1 : Segment.HEAD;
    } else {
      int end = LogFiles.size(view.segments(), view.segments().indexOf(segment));
      int at = Segment.HEAD;
      while (at < end && Group.isGroup(in, at, end, segment.salt())) {
        at += Group.size(in, at);
      }
      bad = at < end ? at : -1;
    }
    if (bad >= 0) {
      files.damaged().found(segment, bad);
      throw new StoreDamaged(segment.name(), bad, "a checksum is wrong");
    }
  }

  private static void collect(
      Segment segment,
      List<Segment> old,
      LogView view,
      IndexView index,
      long now,
      List<Wanted> wanted) {
    ByteBuffer in = segment.view();
    if (segment.isRewritten()) {
      for (int i = 0; i < segment.count(); i++) {
        if (isWanted(in, segment.placeAt(i), segment.offsetAt(i), old, view, index, now)) {
          wanted.add(new Wanted(segment, segment.placeAt(i), segment.offsetAt(i)));
        }
      }
      return;
    }
    int end = segment.place(view.segments().get(view.segments().indexOf(segment) + 1).base());
    for (int group = Segment.HEAD; group < end; group += Group.size(in, group)) {
      int at = group + Group.HEAD;
      for (int i = 0; i < Group.records(in, group); i++) {
        if (isWanted(in, at, segment.offset(at), old, view, index, now)) {
          wanted.add(new Wanted(segment, at, segment.offset(at)));
        }
        at += Records.size(in, at);
      }
    }
  }

  /** A removal is wanted as long as what it has removed is in a file that is not rewritten. */
  private static boolean isWanted(
      ByteBuffer in,
      int at,
      long offset,
      List<Segment> old,
      LogView view,
      IndexView index,
      long now) {
    return switch (Records.kind(in, at)) {
      case Records.EVENT ->
          IndexUpdate.holds(index, PackedEvent.id(in, Records.packedAt(at)), offset);
      case Records.ROW ->
          IndexUpdate.rowAt(index, Records.table(in, at), Records.key(in, at)) == offset;
      case Records.ERASURE -> now - Records.erasureTime(in, at) < ERASURE_KEPT;
      default -> {
        long target = Records.target(in, at);
        yield !old.contains(view.segmentOf(target)) && view.has(target);
      }
    };
  }

  private String write(List<Segment> old, LogView view, List<Wanted> wanted) throws IOException {
    Segment first = old.get(0);
    Segment behind = view.segments().get(view.segments().indexOf(old.get(old.size() - 1)) + 1);
    int generation = old.stream().mapToInt(Segment::generation).max().orElse(0) + 1;
    long size = Segment.HEAD + Segment.FOOT;
    for (Wanted record : wanted) {
      size += record.size() + Segment.ENTRY;
    }
    ByteBuffer head =
        Segment.head(
            true,
            first.base(),
            behind.base(),
            first.firstSequence(),
            behind.firstSequence() - 1,
            generation);
    String name = Segment.name(first.base(), generation);
    files.write(name, size, file -> fill(file, head, wanted));
    return name;
  }

  private static void fill(Disk.File file, ByteBuffer head, List<Wanted> wanted)
      throws IOException {
    Appender out = new Appender(file);
    out.put(head);
    int[] places = new int[wanted.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = out.written;
      out.put(wanted.get(i).bytes());
    }
    ByteBuffer entry = ByteBuffer.allocate(Segment.ENTRY);
    for (int i = 0; i < places.length; i++) {
      out.put(entry.clear().putLong(wanted.get(i).offset()).putInt(places[i]).flip());
    }
    out.put(ByteBuffer.allocate(4).putInt(0, places.length));
    out.put(ByteBuffer.allocate(4).putInt(0, (int) out.crc.getValue()));
    out.flush();
  }

  /** Writes a file from its begin to its end. */
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

  /** What has died since the copy was begun is still in the new segment. */
  private void swap(List<Sealed> run, String name) throws IOException {
    writing.lock();
    try (IndexWriter writer = new IndexWriter(index)) {
      files.replace(run.stream().map(Sealed::segment).toList(), name);
      IndexUpdate update = new IndexUpdate(writer);
      long diedSince = 0;
      long erasedSince = 0;
      for (Sealed old : run) {
        Dead dead = IndexUpdate.dead(writer, old.segment().base());
        long more = dead.bytes() - old.dead().bytes();
        diedSince += more;
        if (more > 0) {
          erasedSince = Math.max(erasedSince, dead.erasedSince());
        }
        update.setDead(old.segment().base(), Dead.NONE);
      }
      update.setDead(run.get(0).segment().base(), new Dead(diedSince, erasedSince));
      update.finish(null);
      writer.commit();
    } finally {
      writing.unlock();
    }
  }
}
