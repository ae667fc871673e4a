package gambit.core.store.disk;

import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append-only log of groups, the one durable truth. Offsets count the bytes that were ever
 * appended, the heads of files left out; a record keeps its offset when its segment is rewritten.
 *
 * <p>Threads: whoever holds the store's write lock.
 */
final class EventLog {
  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  /** So much of a segment is filled at once, so that syncs need not change extents. */
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(4 << 20);

  private final LogFiles files;
  private Segment active; // the last one
  private int position; // in the active segment: where the next group will stand
  private int allocatedTo; // in the active segment: up to where room is taken
  private long nextSequence; // of the next group

  /** What a scan of the log calls, in the order of the log. */
  interface Visitor {
    void record(ByteBuffer in, int at, long offset) throws IOException;

    /** All records of groups up to that offset have been visited. */
    void groupEnd(long offset, long groupOffset, long sequence) throws IOException;
  }

  /** A log of which nothing is known but its files; {@link #scan} has to follow. */
  EventLog(LogFiles files) {
    this.files = files;
    this.active = files.segments().get(files.segments().size() - 1);
    this.position = Segment.HEAD_BYTES;
    this.nextSequence = active.firstSequence();
  }

  /**
   * Visits the groups from an offset on, checks them, and makes the end of the last whole one the
   * end of the log; what is behind it of a group that was not finished is cleared.
   *
   * @param from where a group begins
   * @param groupSequence the number of that group
   * @param finished up to where groups are known to have been finished
   * @throws StoreDamaged when a group is bad that was finished, or that has a good one behind it
   */
  void scan(long fromOffset, long groupSequence, long finishedTo, Visitor visitor)
      throws IOException {
    long next = groupSequence;
    List<Segment> segments = files.segments();
    for (int i = segmentIndexOf(fromOffset); i < segments.size(); i++) {
      Segment segment = segments.get(i);
      if (segment.isRewritten() && segment.base() < fromOffset) {
        next = segment.lastSequence() + 1; // its last groups may have been void ones
      } else if (segment.isRewritten()) {
        next = scanRewritten(segment, next, visitor);
      } else if (segment == active) {
        scanActive(Math.max(fromOffset, segment.base()), next, finishedTo, visitor);
      } else {
        int end = segment.position(segments.get(i + 1).base());
        int at = segment.position(Math.max(fromOffset, segment.base()));
        while (at < end) {
          if (!Group.isGroup(segment.view(), at, end, segment.salt())
              || Group.sequence(segment.view(), at) != next) {
            throw new StoreDamaged(
                segment.name(), at, "group " + next + " is not what was written");
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

  private static long scanRewritten(Segment segment, long next, Visitor visitor)
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

  private void scanActive(long fromOffset, long firstSequence, long finishedTo, Visitor visitor)
      throws IOException {
    ByteBuffer view = active.view();
    if (fromOffset - active.base() > Integer.MAX_VALUE - Segment.HEAD_BYTES) {
      throw new StoreDamaged("there is no segment for the offsets up to " + finishedTo);
    }
    position = active.position(fromOffset);
    nextSequence = firstSequence;
    while (Group.isGroup(view, position, view.capacity(), active.salt())
        && Group.sequence(view, position) == nextSequence) {
      position = visitGroup(active, position, visitor);
      nextSequence++;
    }
    if (end() < finishedTo) {
      throw new StoreDamaged(
          active.name(), position, "group " + nextSequence + " is not what was written");
    }
    clearUnfinished(view);
    allocatedTo = position;
  }

  private static int visitGroup(Segment segment, int at, Visitor visitor) throws IOException {
    ByteBuffer in = segment.view();
    int end = at + Group.size(in, at);
    if (!Group.isVoid(in, at)) {
      int record = at + Group.HEAD_BYTES;
      for (int i = 0; i < Group.recordCount(in, at); i++) {
        visitor.record(in, record, segment.offsetOf(record));
        record += Records.size(in, record);
      }
    }
    visitor.groupEnd(segment.offsetOf(end), segment.offsetOf(at), Group.sequence(in, at));
    return end;
  }

  /** What is behind the last whole group may be the begin of the one after it, and nothing else. */
  private void clearUnfinished(ByteBuffer view) throws IOException {
    int dirtyTo = position;
    for (int at = position; at + 8 <= view.capacity(); at += 8) {
      if (view.getLong(at) != 0) {
        dirtyTo = at + 8;
        if (Group.isGroup(view, at, view.capacity(), active.salt())) {
          throw new StoreDamaged(
              active.name(),
              position,
              "group "
                  + nextSequence
                  + " is not what was written, but there is one behind it, at byte "
                  + at);
        }
      }
    }
    if (dirtyTo > position) {
      LOG.warn(
          "Segment {}: dropped {} bytes from byte {} on, of a group that was never finished",
          active.name(),
          dirtyTo - position,
          position);
      writeZeros(position, dirtyTo);
      active.file().sync();
    }
  }

  private void writeZeros(int from, int to) throws IOException {
    for (int at = from; at < to; at += ZEROS.capacity()) {
      int length = Math.min(ZEROS.capacity(), to - at);
      active.file().write(ZEROS.duplicate().limit(length), at);
    }
  }

  LogFiles files() {
    return files;
  }

  /** Where the next group will begin. */
  long end() {
    return active.offsetOf(position);
  }

  /** The number that the next group will have. */
  long nextSequence() {
    return nextSequence;
  }

  /** Where the segment begins in which the newest group stands. */
  long activeBase() {
    return active.base();
  }

  /**
   * Appends a group and makes it durable.
   *
   * @throws IOException when there is no room; the log is as it was
   * @throws StoreFailure when it is not known what is on the disk
   */
  void append(Group group) throws IOException {
    int size = group.size();
    if (position + size > active.view().capacity() || !active.hasRecordChecksums()) {
      roll(size);
    }
    int end = position + size;
    allocate(end);
    try {
      active.file().write(group.finish(nextSequence, active.salt(), end()), position);
    } catch (IOException e) {
      clearGroupHead();
      throw e;
    }
    sync();
    position = end;
    nextSequence++;
  }

  private void allocate(int upTo) throws IOException {
    while (allocatedTo < upTo) {
      int more = Math.min(ZEROS.capacity(), active.view().capacity() - allocatedTo);
      active.file().write(ZEROS.duplicate().limit(more), allocatedTo);
      allocatedTo += more;
    }
  }

  /** Takes the begin of a group away that could not be written whole. */
  private void clearGroupHead() {
    try {
      active.file().write(ByteBuffer.allocate(Group.HEAD_BYTES), position);
    } catch (IOException e) {
      throw new StoreFailure("what was written to the event log could not be taken back", e);
    }
  }

  private void sync() {
    try {
      active.file().sync();
    } catch (IOException e) {
      throw new StoreFailure("the event log could not be synced to the disk", e);
    }
  }

  /** Makes the newest group void: its offsets are never used again. */
  void voidLastGroup(long groupOffset) {
    int at = active.position(groupOffset);
    int length = Group.size(active.view(), at) - Group.HEAD_BYTES;
    try {
      active.file().write(Group.voidHead(length, nextSequence - 1, active.salt()), at);
      writeZeros(
          at + Group.HEAD_BYTES,
          at + Group.HEAD_BYTES + length); // somebody may have a right to that
    } catch (IOException e) {
      throw new StoreFailure("a group of the event log could not be made void", e);
    }
    sync();
  }

  /**
   * Begins the next segment.
   *
   * @param size the group that has to find room in it
   * @throws IOException when there is no room; the log is as it was
   */
  void roll(int size) throws IOException {
    active = files.beginSegment(end(), nextSequence, size);
    position = Segment.HEAD_BYTES;
    allocatedTo = Segment.HEAD_BYTES;
  }
}
