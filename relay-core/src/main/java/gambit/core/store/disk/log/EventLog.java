package gambit.core.store.disk.log;

import gambit.core.store.LogGroup;
import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append-only log of groups, the authoritative data of the store. Offsets count all bytes ever
 * appended, without the heads of files. A record keeps its offset when its segment is rewritten.
 *
 * <p>Threads: the holder of the store's write lock.
 */
public final class EventLog {
  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  /** Allocates a segment in steps of this size, so that most syncs do not change extents. */
  private static final int STEP_BYTES = 4 << 20;

  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(256 << 10);

  private final LogFiles files;
  private Segment active; // the last segment
  private int position; // of the next group in the active segment
  private int allocatedTo; // end of the allocated bytes of the active segment
  private long nextSequence; // number of the next group
  private long newestGroup = -1; // its offset; -1 if it is not known

  /** Receives the records and groups of a scan in log order. */
  public interface LogVisitor {
    void record(ByteBuffer in, int at, long offset) throws IOException;

    /** Called after all records of groups up to that offset. */
    void groupEnd(long offset, long groupOffset, long sequence) throws IOException;
  }

  /** Creates a log from its files. {@link #scan} must be called before anything is appended. */
  public EventLog(LogFiles files) {
    this.files = files;
    this.active = files.segments().get(files.segments().size() - 1);
    this.position = Segment.HEAD_BYTES;
    this.nextSequence = active.firstSequence();
  }

  /**
   * Visits the groups from an offset on and checks them. The end of the last complete group becomes
   * the end of the log; an unfinished group after it is cleared.
   *
   * @param fromOffset the start of a group
   * @param groupSequence the number of that group
   * @param finishedTo the offset up to which groups are known to be complete
   * @throws StoreDamaged when a complete group, or a group before an intact one, is damaged
   */
  public void scan(long fromOffset, long groupSequence, long finishedTo, LogVisitor visitor)
      throws IOException {
    long next = groupSequence;
    List<Segment> segments = files.segments();
    for (int i = segmentIndexOf(fromOffset); i < segments.size(); i++) {
      Segment segment = segments.get(i);
      if (segment.isRewritten() && segment.base() < fromOffset) {
        next = segment.lastSequence() + 1;
      } else if (segment.isRewritten()) {
        next = scanRewritten(segment, next, visitor);
      } else if (segment == active) {
        scanActive(Math.max(fromOffset, segment.base()), next, finishedTo, visitor);
      } else {
        int end = segment.position(segments.get(i + 1).base());
        int at = segment.position(Math.max(fromOffset, segment.base()));
        while (at < end) {
          if (!RecordGroup.isGroup(segment.view(), at, end, segment.salt())
              || RecordGroup.sequence(segment.view(), at) != next) {
            throw new StoreDamaged(segment.name(), at, "group " + next + " is damaged");
          }
          at = visitGroup(segment, at, visitor);
          next++;
        }
      }
    }
  }

  private int segmentIndexOf(long offset) {
    try (LogView view = files.view()) {
      return view.segments().indexOf(view.segmentOf(offset));
    }
  }

  private static long scanRewritten(Segment segment, long next, LogVisitor visitor)
      throws IOException {
    if (!segment.hasValidChecksum()) {
      throw new StoreDamaged(segment.name(), 0, "its checksum is wrong");
    }
    if (segment.firstSequence() != next) {
      throw new StoreDamaged(segment.name(), 0, "it does not begin with group " + next);
    }
    for (int i = 0; i < segment.recordCount(); i++) {
      visitor.record(segment.view(), segment.positionAt(i), segment.offsetAt(i));
    }
    visitor.groupEnd(segment.end(), segment.base(), segment.lastSequence());
    return segment.lastSequence() + 1;
  }

  private void scanActive(long fromOffset, long firstSequence, long finishedTo, LogVisitor visitor)
      throws IOException {
    ByteBuffer view = active.view();
    if (fromOffset - active.base() > Integer.MAX_VALUE - Segment.HEAD_BYTES) {
      throw new StoreDamaged("no segment has the offsets up to " + finishedTo);
    }
    position = active.position(fromOffset);
    nextSequence = firstSequence;
    while (RecordGroup.isGroup(view, position, view.capacity(), active.salt())
        && RecordGroup.sequence(view, position) == nextSequence) {
      position = visitGroup(active, position, visitor);
      nextSequence++;
    }
    if (end() < finishedTo) {
      throw new StoreDamaged(active.name(), position, "group " + nextSequence + " is damaged");
    }
    clearUnfinished(view);
    allocatedTo = position;
  }

  private int visitGroup(Segment segment, int at, LogVisitor visitor) throws IOException {
    ByteBuffer in = segment.view();
    int end = at + RecordGroup.size(in, at);
    int record = at + RecordGroup.HEAD_BYTES;
    for (int i = 0; i < RecordGroup.recordCount(in, at); i++) {
      visitor.record(in, record, segment.offsetOf(record));
      record += Records.size(in, record);
    }
    newestGroup = segment.offsetOf(at);
    visitor.groupEnd(segment.offsetOf(end), newestGroup, RecordGroup.sequence(in, at));
    return end;
  }

  /**
   * Clears the start of an unfinished group after the last complete one. Nothing else may be there
   * but groups that were to be synced together with it.
   */
  private void clearUnfinished(ByteBuffer view) throws IOException {
    int dirtyTo = position;
    for (int at = nextUsed(view, position); at >= 0; at = nextUsed(view, at + 8)) {
      dirtyTo = at + 8;
      if (RecordGroup.isGroup(view, at, view.capacity(), active.salt())
          && !RecordGroup.isSyncedWith(nextSequence, view, at)) {
        throw new StoreDamaged(
            active.name(),
            position,
            "group " + nextSequence + " is damaged, but an intact one follows at byte " + at);
      }
    }
    if (dirtyTo > position) {
      LOG.warn(
          "Segment {}: dropped unfinished groups of {} bytes at byte {}",
          active.name(),
          dirtyTo - position,
          position);
      writeZeros(position, dirtyTo);
      active.file().sync();
    }
  }

  /** The first eight bytes from a position on that are not all zero; -1 without such. */
  private static int nextUsed(ByteBuffer view, int from) {
    int at = from;
    while (at + 8 <= view.capacity()) {
      int length = Math.min(ZEROS.capacity(), view.capacity() - at);
      int used = view.slice(at, length).mismatch(ZEROS.duplicate().limit(length));
      if (used >= 0) {
        int start = at + (used & -8);
        return start + 8 <= view.capacity() ? start : -1;
      }
      at += length;
    }
    return -1;
  }

  private void writeZeros(int from, int to) throws IOException {
    for (int at = from; at < to; at += ZEROS.capacity()) {
      int length = Math.min(ZEROS.capacity(), to - at);
      active.file().write(ZEROS.duplicate().limit(length), at);
    }
  }

  public LogFiles files() {
    return files;
  }

  /** The offset of the next group. */
  public long end() {
    return active.offsetOf(position);
  }

  /** The number of the next group. */
  public long nextSequence() {
    return nextSequence;
  }

  /** The base of the segment that contains the newest group. */
  public long activeBase() {
    return active.base();
  }

  /** The newest group; null if there is none, or only its live records are left. */
  public @Nullable LogGroup newestGroup() {
    if (newestGroup < 0) {
      return null;
    }
    try (LogView view = files.view()) {
      Segment segment = view.segmentOf(newestGroup);
      return segment.isRewritten()
          ? null
          : RecordGroup.copy(segment.view(), segment.position(newestGroup), newestGroup);
    }
  }

  /**
   * Makes room for groups of that size, so that appending them needs no more.
   *
   * @throws IOException when there is no room; the log is unchanged
   */
  public void reserve(int size) throws IOException {
    if (size > active.view().capacity() - position) {
      roll(size);
    }
    allocate(position + size);
  }

  /**
   * Appends a group and makes it durable.
   *
   * @return the time that the sync of the group has taken, in nanoseconds
   * @throws IOException when there is no room; the log is unchanged
   * @throws StoreFailure when it is unknown what is on the disk
   */
  public long append(RecordGroup group) throws IOException {
    reserve(group.size());
    try {
      active.file().write(group.finish(nextSequence, active.salt(), end()), position);
    } catch (IOException e) {
      clear(position + RecordGroup.HEAD_BYTES);
      throw e;
    }
    long start = System.nanoTime();
    sync();
    newestGroup = end();
    position += group.size();
    nextSequence++;
    return System.nanoTime() - start;
  }

  /**
   * Appends groups of another store that follow the end of this log, and makes them durable
   * together. They are in one segment.
   *
   * @param buffer for one group at a time
   * @param size the sum of their sizes
   * @throws IOException when there is no room; the log is unchanged
   * @throws StoreFailure when it is unknown what is on the disk
   */
  public void append(List<LogGroup> groups, RecordGroup buffer, int size) throws IOException {
    reserve(size);
    int at = position;
    try {
      for (int i = 0; i < groups.size(); i++) {
        buffer.set(groups.get(i));
        active
            .file()
            .write(buffer.finish(nextSequence + i, active.salt(), active.offsetOf(at), i), at);
        at += buffer.size();
      }
    } catch (IOException e) {
      clear(position + size);
      throw e;
    }
    sync();
    newestGroup = groups.get(groups.size() - 1).offset();
    position = at;
    nextSequence += groups.size();
  }

  private void allocate(int upTo) throws IOException {
    while (allocatedTo < upTo) {
      int next = (int) Math.min((long) allocatedTo + STEP_BYTES, active.view().capacity());
      writeZeros(allocatedTo, next);
      allocatedTo = next;
    }
  }

  /** Clears what was written after the end of the log. */
  private void clear(int to) {
    try {
      writeZeros(position, to);
    } catch (IOException e) {
      throw new StoreFailure("a partly written group of the event log could not be cleared", e);
    }
  }

  private void sync() {
    try {
      active.file().sync();
    } catch (IOException e) {
      throw new StoreFailure("the event log could not be synced to the disk", e);
    }
  }

  /**
   * Starts the next segment.
   *
   * @param size the size of the group that must fit into it
   * @throws IOException when there is no room; the log is unchanged
   */
  public void roll(int size) throws IOException {
    active = files.beginSegment(end(), nextSequence, size);
    position = Segment.HEAD_BYTES;
    allocatedTo = Segment.HEAD_BYTES;
  }
}
