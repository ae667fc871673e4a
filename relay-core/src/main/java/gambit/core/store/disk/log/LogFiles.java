package gambit.core.store.disk.log;

import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the log. They are opened together, and created and replaced one at a time; a file is
 * complete and durable before it gets its name.
 *
 * <p>Threads: the holder of the store's write lock; {@link #view} any thread; {@link #write} also
 * the thread that rewrites segments.
 */
public final class LogFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);
  private static final String UNFINISHED_SUFFIX = ".tmp";

  /** Maximum size of a log file, unless a single group is larger. */
  public static final int SEGMENT_BYTES = 64 << 20;

  private final Disk disk;
  private final int segmentBytes;
  private final LogView.DamagedRecords damagedRecords = new LogView.DamagedRecords();
  private final boolean isNew;
  private volatile LogView current;
  private volatile boolean isClosed;

  /** Opens the files of a log, of which none may be missing, or creates the first one. */
  public LogFiles(Disk disk, int segmentBytes) throws IOException {
    this.disk = disk;
    this.segmentBytes = segmentBytes;
    List<Segment> segments = openAll();
    isNew = segments.isEmpty();
    if (isNew) {
      segments.add(create(0, 1, 0, segmentBytes));
    }
    this.current = new LogView(segments, damagedRecords);
    segments.forEach(Segment::release); // the view holds them now
  }

  private List<Segment> openAll() throws IOException {
    List<Segment> found = new ArrayList<>();
    try {
      for (String name : disk.names()) {
        if (Segment.isFileName(name)) {
          found.add(Segment.open(disk, name));
        } else if (isUnfinished(name)) {
          disk.delete(name);
        }
      }
      List<Segment> live = liveSegments(found);
      requireComplete(live);
      for (Segment segment : found) {
        if (!live.contains(segment)) {
          disk.delete(segment.name());
        }
      }
      live.forEach(Segment::acquire);
      return live;
    } finally {
      found.forEach(Segment::release);
    }
  }

  /** The segments that make up the log, in offset order; replaced ones are left out. */
  static List<Segment> liveSegments(List<Segment> found) {
    List<Segment> live = new ArrayList<>();
    long covered = 0;
    for (Segment segment : found.stream().sorted(Segment.ORDER).toList()) {
      if (segment.base() < covered) { // replaced by another segment
        continue;
      }
      live.add(segment);
      covered = segment.isRewritten() ? segment.end() : segment.base() + 1;
    }
    return live;
  }

  private static boolean isUnfinished(String name) {
    return name.endsWith(UNFINISHED_SUFFIX)
        && Segment.isFileName(name.substring(0, name.length() - UNFINISHED_SUFFIX.length()));
  }

  /** Refuses segments that do not cover all offsets, since one is missing or truncated. */
  public static void requireComplete(List<Segment> segments) throws StoreDamaged {
    long expected = 0;
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      if (segment.base() != expected) {
        throw new StoreDamaged("no segment has the offsets from " + expected);
      }
      if (i == segments.size() - 1) {
        if (segment.isRewritten()) {
          throw new StoreDamaged("no segment has the offsets from " + segment.end());
        }
      } else {
        expected = segment.isRewritten() ? segment.end() : segments.get(i + 1).base();
        if (!segment.isRewritten()
            && expected - segment.base() > segment.view().capacity() - Segment.HEAD_BYTES) {
          throw new StoreDamaged(
              segment.name(),
              segment.view().capacity(),
              "the segment is truncated; the next one begins at offset " + expected);
        }
      }
    }
  }

  /** Whether there was no file before, so that nothing can be in the first one. */
  boolean isNew() {
    return isNew;
  }

  /** The segments in offset order; the last one is the active segment. */
  List<Segment> segments() {
    return current.segments();
  }

  public LogView view() {
    LogView view = current;
    while (!view.tryAcquire()) {
      if (isClosed) {
        throw new IllegalStateException("the store is closed");
      }
      view = current;
    }
    return view;
  }

  /** Creates the next segment, which has room for that size, in place of an empty last one. */
  public Segment beginSegment(long base, long firstSequence, int size) throws IOException {
    List<Segment> segments = new ArrayList<>(current.segments());
    Segment last = segments.get(segments.size() - 1);
    boolean isEmpty = last.base() == base;
    int generation = isEmpty ? last.generation() + 1 : 0;
    Segment next = create(base, firstSequence, generation, Math.max(size, segmentBytes));
    if (isEmpty) {
      segments.remove(last);
    }
    segments.add(next);
    publish(segments);
    next.release();
    if (isEmpty) {
      delete(last.name());
    }
    return next;
  }

  private Segment create(long base, long firstSequence, int generation, int size)
      throws IOException {
    String name = Segment.fileName(base, generation);
    ByteBuffer head = Segment.head(false, base, 0, firstSequence, 0, generation);
    write(name, (long) Segment.HEAD_BYTES + size, file -> file.write(head, 0));
    return openOrDelete(name);
  }

  /** Opens a new file; one that cannot be opened is deleted, for the next start. */
  private Segment openOrDelete(String name) throws IOException {
    try {
      return Segment.open(disk, name);
    } catch (IOException e) {
      try {
        disk.delete(name);
        disk.sync();
      } catch (IOException fatal) {
        throw new StoreFailure("a segment that cannot be opened could not be deleted", fatal);
      }
      throw e;
    }
  }

  public interface Content {
    void writeTo(Disk.File file) throws IOException;
  }

  /** Creates a file that is complete and durable before it gets its name; none without room. */
  public void write(String name, long size, Content content) throws IOException {
    String unfinished = name + UNFINISHED_SUFFIX;
    try {
      try (Disk.File file = disk.create(unfinished, size)) {
        content.writeTo(file);
        file.sync();
      }
      disk.rename(unfinished, name);
    } catch (IOException e) {
      disk.delete(unfinished);
      throw e;
    }
    try {
      disk.sync();
    } catch (IOException e) {
      throw new StoreFailure("the directory of the event log could not be synced", e);
    }
  }

  /** Replaces segments with the one into which they were rewritten, and deletes them. */
  public void replace(List<Segment> old, String rewritten) throws IOException {
    List<Segment> segments = new ArrayList<>(current.segments());
    int at = segments.indexOf(old.get(0));
    segments.subList(at, at + old.size()).clear();
    Segment segment = openOrDelete(rewritten);
    segments.add(at, segment);
    publish(segments);
    segment.release();
    old.forEach(gone -> delete(gone.name()));
  }

  /** Deletes a rewritten segment unless it is in use. */
  public void deleteIfUnused(String rewritten) {
    if (current.segments().stream().noneMatch(segment -> segment.name().equals(rewritten))) {
      delete(rewritten);
    }
  }

  /** Deletes a replaced file; if that fails, the next start deletes it. */
  private void delete(String name) {
    try {
      disk.delete(name);
    } catch (IOException e) {
      LOG.warn("{} could not be deleted; the next start tries again", name, e);
    }
  }

  private void publish(List<Segment> segments) {
    LogView before = current;
    current = new LogView(segments, damagedRecords);
    before.close();
  }

  public long capacityBytes() {
    return current.segments().stream().mapToLong(segment -> segment.view().capacity()).sum();
  }

  /** The number of used bytes of a sealed segment. */
  public static int usedBytes(List<Segment> segments, int index) {
    Segment segment = segments.get(index);
    return segment.isRewritten()
        ? segment.view().capacity()
        : segment.position(segments.get(index + 1).base());
  }

  public LogView.DamagedRecords damagedRecords() {
    return damagedRecords;
  }

  public long usableBytes() throws IOException {
    return disk.usableBytes();
  }

  public int segmentBytes() {
    return segmentBytes;
  }

  @Override
  public void close() {
    isClosed = true;
    current.close();
  }
}
