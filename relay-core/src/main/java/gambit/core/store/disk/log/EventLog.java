package gambit.core.store.disk.log;

import gambit.core.store.LogGroup;
import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntFunction;
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

  static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(256 << 10);

  private final LogFiles files;
  private Segment active; // the last segment
  private int position; // of the next group in the active segment
  private int allocatedTo; // end of the allocated bytes of the active segment
  private long nextSequence; // number of the next group
  private long newestGroup = -1; // its offset; -1 if it is not known

  /** Creates a log from its files. {@link #scan} must be called before anything is appended. */
  public EventLog(LogFiles files) {
    this.files = files;
    this.active = files.segments().get(files.segments().size() - 1);
    this.position = Segment.HEAD_BYTES;
    this.nextSequence = active.firstSequence();
  }

  /**
   * Visits and checks the groups from an offset on, and finds the end of the log.
   *
   * @param groupSequence the number of the group at that offset
   * @param finishedTo the offset up to which groups are known to be complete
   * @throws StoreDamaged when a complete group, or a group before an intact one, is damaged
   */
  public void scan(long fromOffset, long groupSequence, long finishedTo, LogVisitor visitor)
      throws IOException {
    position = new StartupScan(visitor).run(fromOffset, groupSequence, finishedTo);
    allocatedTo = position;
  }

  /** Receives the records and groups in log order. */
  public interface LogVisitor extends Segment.RecordVisitor<StoreDamaged> {
    /** Called after all records of groups up to that offset. */
    void groupEnd(long offset, long groupOffset, long sequence) throws IOException;
  }

  static void writeZeros(Disk.File file, int from, int to) throws IOException {
    for (int at = from; at < to; at += ZEROS.capacity()) {
      int length = Math.min(ZEROS.capacity(), to - at);
      file.write(ZEROS.duplicate().limit(length), at);
    }
  }

  public LogFiles files() {
    return files;
  }

  public long end() {
    return active.offsetOf(position);
  }

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

  /** Makes room for groups of that size; if there is none, the log is unchanged. */
  public void reserve(int size) throws IOException {
    if (size > active.view().capacity() - position) {
      roll(size);
    }
    allocate(position + size);
  }

  /**
   * Appends a group and makes it durable; returns the time that the sync has taken, in nanoseconds.
   *
   * @throws IOException when there is no room; the log is unchanged
   * @throws StoreFailure when it is unknown what is on the disk
   */
  public long append(RecordGroup group) throws IOException {
    return append(1, group.size(), i -> group);
  }

  /**
   * Appends groups of another store that follow the end of this log, and makes them durable
   * together, as {@link #append(RecordGroup)} does. They are in one segment; the buffer is for one
   * at a time, and the size is that of all.
   */
  public void append(List<LogGroup> groups, RecordGroup buffer, int size) throws IOException {
    append(groups.size(), size, i -> buffer.set(groups.get(i)));
  }

  private long append(int count, int size, IntFunction<RecordGroup> groups) throws IOException {
    reserve(size);
    int at = position;
    long newest = newestGroup;
    try {
      for (int i = 0; i < count; i++) {
        RecordGroup group = groups.apply(i);
        newest = active.offsetOf(at);
        active.file().write(group.finish(nextSequence + i, active.salt(), newest, i), at);
        at += group.size();
      }
    } catch (IOException e) {
      clear(position + size);
      throw e;
    }
    long start = System.nanoTime();
    sync();
    newestGroup = newest;
    position = at;
    nextSequence += count;
    return System.nanoTime() - start;
  }

  private void allocate(int upTo) throws IOException {
    while (allocatedTo < upTo) {
      int next = (int) Math.min((long) allocatedTo + STEP_BYTES, active.view().capacity());
      writeZeros(active.file(), allocatedTo, next);
      allocatedTo = next;
    }
  }

  /** Clears what was written after the end of the log. */
  private void clear(int to) {
    try {
      writeZeros(active.file(), position, to);
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

  /** Starts the next segment, into which that size must fit; without room, nothing changes. */
  public void roll(int size) throws IOException {
    active = files.beginSegment(end(), nextSequence, size);
    position = Segment.HEAD_BYTES;
    allocatedTo = Segment.HEAD_BYTES;
  }

  /**
   * Reads the groups that the index lacks when a store is opened, and checks each. A damaged group
   * prevents the start, except for the last ones of the log that are not known to be complete:
   * their commit was interrupted, and they are cleared. Damage before these groups is noticed when
   * a record is read ({@link LogView.DamagedRecords}).
   */
  private final class StartupScan {
    private static final int PIECE_BYTES = 64 << 10;
    private final LogVisitor visitor;

    StartupScan(LogVisitor visitor) {
      this.visitor = visitor;
    }

    /** Visits the groups; returns the position in the last segment at which the log ends. */
    int run(long fromOffset, long groupSequence, long finishedTo) throws IOException {
      nextSequence = groupSequence;
      List<Segment> segments = files.segments();
      for (int i = indexOf(fromOffset); i < segments.size() - 1; i++) {
        Segment segment = segments.get(i);
        if (segment.isRewritten() && segment.base() < fromOffset) {
          nextSequence = segment.lastSequence() + 1;
        } else if (segment.isRewritten()) {
          visitRewritten(segment);
        } else {
          int end = segment.position(segments.get(i + 1).base());
          int at = visitGroups(segment, Math.max(fromOffset, segment.base()), end);
          if (at < end) {
            throw damaged(segment, at, "");
          }
        }
      }
      return visitActive(Math.max(fromOffset, active.base()), finishedTo);
    }

    private int indexOf(long offset) {
      try (LogView view = files.view()) {
        return view.segments().indexOf(view.segmentOf(offset));
      }
    }

    private void visitRewritten(Segment segment) throws IOException {
      if (!segment.hasValidChecksum()) {
        throw new StoreDamaged(segment.name(), 0, "its checksum is wrong");
      }
      if (segment.firstSequence() != nextSequence) {
        throw new StoreDamaged(segment.name(), 0, "it does not begin with group " + nextSequence);
      }
      segment.forEachRecord(0, visitor);
      visitor.groupEnd(segment.end(), segment.base(), segment.lastSequence());
      nextSequence = segment.lastSequence() + 1;
      newestGroup = -1; // it is in no original segment any more
    }

    private int visitActive(long fromOffset, long finishedTo) throws IOException {
      if (fromOffset - active.base() > Integer.MAX_VALUE - Segment.HEAD_BYTES) {
        throw new StoreDamaged("no segment has the offsets up to " + finishedTo);
      }
      int end = visitGroups(active, fromOffset, active.view().capacity());
      if (active.offsetOf(end) < finishedTo) {
        throw damaged(active, end, "");
      }
      if (!files.isNew()) {
        clearUnfinished(end);
      }
      return end;
    }

    /** Visits consecutive intact groups; returns the position after the last one. */
    private int visitGroups(Segment segment, long fromOffset, int limit) throws IOException {
      ByteBuffer in = segment.view();
      int at = segment.position(fromOffset);
      while (at < limit
          && RecordGroup.isGroup(in, at, limit, segment.salt())
          && RecordGroup.sequence(in, at) == nextSequence) {
        segment.forEachRecordOf(at, visitor);
        int end = at + RecordGroup.size(in, at);
        newestGroup = segment.offsetOf(at);
        visitor.groupEnd(segment.offsetOf(end), newestGroup, nextSequence++);
        at = end;
      }
      return at;
    }

    /**
     * Clears the start of an unfinished group after the last complete one. Nothing else may be
     * there but groups that were to be synced together with it. The file is read, because pages of
     * the view would stay in the memory of the process.
     */
    private void clearUnfinished(int position) throws IOException {
      ByteBuffer view = active.view();
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      int dirtyTo = position;
      for (int from = position; from < view.capacity(); from += PIECE_BYTES) {
        int length = Math.min(PIECE_BYTES, (view.capacity() - from) & -8);
        if (!Disk.read(active.file(), piece, from, length)) {
          throw new IOException(active.name() + " has become shorter");
        }
        for (int at = from; at < from + length; at += 8) {
          if (piece.getLong(at - from) == 0) {
            continue;
          }
          dirtyTo = at + 8;
          if (RecordGroup.isGroup(view, at, view.capacity(), active.salt())
              && !RecordGroup.isSyncedWith(nextSequence, view, at)) {
            throw damaged(active, position, ", but an intact one follows at byte " + at);
          }
        }
      }
      if (dirtyTo > position) {
        LOG.warn(
            "Segment {}: dropped unfinished groups of {} bytes at byte {}",
            active.name(),
            dirtyTo - position,
            position);
        writeZeros(active.file(), position, dirtyTo);
        active.file().sync();
      }
    }

    private StoreDamaged damaged(Segment segment, int at, String more) {
      return new StoreDamaged(segment.name(), at, "group " + nextSequence + " is damaged" + more);
    }
  }
}
