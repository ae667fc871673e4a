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
  private int place; // in the active segment: where the next group will stand
  private int allocated; // in the active segment: up to where room is taken
  private long sequence; // of the next group

  /** What a scan of the log calls, in the order of the log. */
  interface Visitor {
    void record(ByteBuffer in, int at, long offset) throws IOException;

    /** All records of groups up to that offset have been visited. */
    void groupEnds(long offset, long groupAt, long sequence) throws IOException;
  }

  /** A log of which nothing is known but its files; {@link #scan} has to follow. */
  EventLog(LogFiles files) {
    this.files = files;
    this.active = files.segments().get(files.segments().size() - 1);
    this.place = Segment.HEAD;
    this.sequence = active.firstSequence();
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
  void scan(long from, long groupSequence, long finished, Visitor visitor) throws IOException {
    long next = groupSequence;
    List<Segment> segments = files.segments();
    for (int i = indexOf(from); i < segments.size(); i++) {
      Segment segment = segments.get(i);
      if (segment.isRewritten() && segment.base() < from) {
        next = segment.lastSequence() + 1; // its last groups may have been void ones
      } else if (segment.isRewritten()) {
        next = scanRewritten(segment, next, visitor);
      } else if (segment == active) {
        scanActive(Math.max(from, segment.base()), next, finished, visitor);
      } else {
        int end = segment.place(segments.get(i + 1).base());
        int at = segment.place(Math.max(from, segment.base()));
        while (at < end) {
          if (!Group.isGroup(segment.view(), at, end, segment.salt())
              || Group.sequence(segment.view(), at) != next) {
            throw new StoreDamaged(
                segment.name(), at, "group " + next + " is not what was written");
          }
          at = visit(segment, at, visitor);
          next++;
        }
      }
    }
  }

  private int indexOf(long offset) {
    try (LogView view = files.view()) {
      return view.segments().indexOf(view.segmentOf(offset));
    }
  }

  private static long scanRewritten(Segment segment, long next, Visitor visitor)
      throws IOException {
    if (!segment.hasRightChecksum()) {
      throw new StoreDamaged(segment.name(), 0, "its checksum is wrong");
    }
    if (segment.firstSequence() != next) {
      throw new StoreDamaged(segment.name(), 0, "it does not begin with group " + next);
    }
    for (int i = 0; i < segment.count(); i++) {
      visitor.record(segment.view(), segment.placeAt(i), segment.offsetAt(i));
    }
    visitor.groupEnds(segment.end(), segment.base(), segment.lastSequence());
    return segment.lastSequence() + 1;
  }

  private void scanActive(long from, long firstSequence, long finished, Visitor visitor)
      throws IOException {
    ByteBuffer view = active.view();
    if (from - active.base() > Integer.MAX_VALUE - Segment.HEAD) {
      throw new StoreDamaged("there is no segment for the offsets up to " + finished);
    }
    place = active.place(from);
    sequence = firstSequence;
    while (Group.isGroup(view, place, view.capacity(), active.salt())
        && Group.sequence(view, place) == sequence) {
      place = visit(active, place, visitor);
      sequence++;
    }
    if (end() < finished) {
      throw new StoreDamaged(
          active.name(), place, "group " + sequence + " is not what was written");
    }
    clearUnfinished(view);
    allocated = place;
  }

  private static int visit(Segment segment, int at, Visitor visitor) throws IOException {
    ByteBuffer in = segment.view();
    int end = at + Group.size(in, at);
    if (!Group.isVoid(in, at)) {
      int record = at + Group.HEAD;
      for (int i = 0; i < Group.records(in, at); i++) {
        visitor.record(in, record, segment.offset(record));
        record += Records.size(in, record);
      }
    }
    visitor.groupEnds(segment.offset(end), segment.offset(at), Group.sequence(in, at));
    return end;
  }

  /** What is behind the last whole group may be the begin of the one after it, and nothing else. */
  private void clearUnfinished(ByteBuffer view) throws IOException {
    int dirtyTo = place;
    for (int at = place; at + 8 <= view.capacity(); at += 8) {
      if (view.getLong(at) != 0) {
        dirtyTo = at + 8;
        if (Group.isGroup(view, at, view.capacity(), active.salt())) {
          throw new StoreDamaged(
              active.name(),
              place,
              "group "
                  + sequence
                  + " is not what was written, but there is one behind it, at byte "
                  + at);
        }
      }
    }
    if (dirtyTo > place) {
      LOG.warn(
          "Segment {}: dropped {} bytes from byte {} on, of a group that was never finished",
          active.name(),
          dirtyTo - place,
          place);
      writeZeros(place, dirtyTo);
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
    return active.offset(place);
  }

  /** The number that the next group will have. */
  long sequence() {
    return sequence;
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
    if (place + size > active.view().capacity() || !active.hasRecordChecksums()) {
      roll(size);
    }
    int end = place + size;
    allocate(end);
    try {
      active.file().write(group.finish(sequence, active.salt(), end()), place);
    } catch (IOException e) {
      undo();
      throw e;
    }
    sync();
    place = end;
    sequence++;
  }

  private void allocate(int upTo) throws IOException {
    while (allocated < upTo) {
      int more = Math.min(ZEROS.capacity(), active.view().capacity() - allocated);
      active.file().write(ZEROS.duplicate().limit(more), allocated);
      allocated += more;
    }
  }

  /** Takes the begin of a group away that could not be written whole. */
  private void undo() {
    try {
      active.file().write(ByteBuffer.allocate(Group.HEAD), place);
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
  void voidLast(long groupAt) {
    int at = active.place(groupAt);
    int length = Group.size(active.view(), at) - Group.HEAD;
    try {
      active.file().write(Group.voidHead(length, sequence - 1, active.salt()), at);
      writeZeros(at + Group.HEAD, at + Group.HEAD + length); // somebody may have a right to that
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
    active = files.begin(end(), sequence, size);
    place = Segment.HEAD;
    allocated = Segment.HEAD;
  }
}
