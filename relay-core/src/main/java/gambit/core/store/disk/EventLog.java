package gambit.core.store.disk;

import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append-only log of groups, the one durable truth. Offsets count the bytes that were ever
 * appended, the heads of files left out; a record keeps its offset when its segment is rewritten.
 *
 * <p>Threads: whoever holds the store's write lock, but for {@link #view}, which is for any thread.
 */
final class EventLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  /** So much of a segment is filled at once, so that syncs need not change extents. */
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(4 << 20);

  /** How large a file of the log grows. */
  static final int SEGMENT_BYTES = 64 << 20;

  private static final String UNFINISHED = ".tmp";

  private final Disk disk;
  private final int segmentBytes;
  private volatile LogView current;
  private volatile boolean isClosed;
  private Segment active;
  private int place; // in the active segment: where the next group will stand
  private int allocated; // in the active segment: up to where room is taken
  private long sequence; // of the next group

  /** What a scan of the log calls, in the order of the log. */
  interface Visitor {
    void record(ByteBuffer in, int at, long offset) throws IOException;

    /** All records of groups up to that offset have been visited. */
    void groupEnds(long offset, long groupAt, long sequence) throws IOException;
  }

  /**
   * Opens the log, or begins one in an empty directory. {@link #scan} has to follow.
   *
   * @param segmentBytes how large a file grows before the next one is begun
   * @throws StoreDamaged when a file is missing or does not begin as one
   */
  EventLog(Disk disk, int segmentBytes) throws IOException {
    this.disk = disk;
    this.segmentBytes = segmentBytes;
    List<Segment> segments = openAll();
    if (segments.isEmpty()) {
      segments.add(create(0, 1, 0, segmentBytes));
    }
    this.active = segments.get(segments.size() - 1);
    this.current = new LogView(segments);
    segments.forEach(Segment::release); // the view has them now
    active.acquire();
    this.place = Segment.HEAD;
    this.sequence = active.firstSequence();
  }

  private List<Segment> openAll() throws IOException {
    List<Segment> found = new ArrayList<>();
    List<Segment> wanted = new ArrayList<>();
    try {
      for (String name : disk.names()) {
        if (Segment.isName(name)) {
          found.add(Segment.open(disk, name));
        } else if (name.endsWith(UNFINISHED)) {
          disk.delete(name);
        }
      }
      found.sort(Segment.ORDER);
      long covered = 0;
      for (Segment segment : found) {
        if (segment.base() < covered) { // the rewriting of several had been finished
          disk.delete(segment.name());
          continue;
        }
        wanted.add(segment);
        covered = segment.isRewritten() ? segment.end() : segment.base() + 1;
      }
      checkThatNoneIsMissing(wanted);
      wanted.forEach(Segment::acquire);
      return wanted;
    } finally {
      found.forEach(Segment::release);
    }
  }

  private static void checkThatNoneIsMissing(List<Segment> segments) throws StoreDamaged {
    long expected = 0;
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      if (segment.base() != expected) {
        throw new StoreDamaged("there is no segment for the offsets from " + expected);
      }
      if (i == segments.size() - 1) {
        if (segment.isRewritten()) {
          throw new StoreDamaged("there is no segment for the offsets from " + segment.end());
        }
      } else {
        expected = segment.isRewritten() ? segment.end() : segments.get(i + 1).base();
        if (!segment.isRewritten()
            && expected - segment.base() > segment.view().capacity() - Segment.HEAD) {
          throw new StoreDamaged(
              segment.name(),
              segment.view().capacity(),
              "the segment is cut off; the next one begins at offset " + expected);
        }
      }
    }
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
    List<Segment> segments = current.segments();
    for (int i = segments.indexOf(current.segmentOf(from)); i < segments.size(); i++) {
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
      for (int at = place; at < dirtyTo; at += ZEROS.capacity()) {
        int length = Math.min(ZEROS.capacity(), dirtyTo - at);
        active.file().write(ZEROS.duplicate().limit(length), at);
      }
      active.file().sync();
    }
  }

  /** Where the next group will begin. */
  long end() {
    return active.offset(place);
  }

  /** The number that the next group will have. */
  long sequence() {
    return sequence;
  }

  /** The segments as they are now, to be closed after use. */
  LogView view() {
    LogView view = current;
    while (!view.hold()) {
      if (isClosed) {
        throw new IllegalStateException("the store is closed");
      }
      view = current;
    }
    return view;
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
    if (place + size > active.view().capacity()) {
      roll(size);
    }
    int end = place + size;
    allocate(end);
    try {
      active.file().write(group.finish(sequence, active.salt()), place);
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
    } catch (IOException e) {
      throw new StoreFailure("a group of the event log could not be made void", e);
    }
    sync();
  }

  /**
   * Begins the next segment; one that has nothing in it yet makes way for the new one.
   *
   * @param size the group that has to find room in it
   * @throws IOException when there is no room; the log is as it was
   */
  void roll(int size) throws IOException {
    List<Segment> segments = new ArrayList<>(current.segments());
    boolean wasEmpty = place == Segment.HEAD;
    Segment next =
        create(
            end(), sequence, wasEmpty ? active.generation() + 1 : 0, Math.max(size, segmentBytes));
    if (wasEmpty) {
      segments.remove(active);
    }
    segments.add(next);
    show(segments);
    Segment before = active;
    active = next;
    place = Segment.HEAD;
    allocated = Segment.HEAD;
    before.release();
    if (wasEmpty) {
      delete(before.name());
    }
  }

  /**
   * Deletes a file that another one has taken the place of; if it stays, the next start sees it.
   */
  private void delete(String name) {
    try {
      disk.delete(name);
    } catch (IOException e) {
      LOG.warn("{} could not be deleted; it is tried again at the next start", name, e);
    }
  }

  private Segment create(long base, long firstSequence, int generation, int size)
      throws IOException {
    String name = Segment.name(base, generation);
    ByteBuffer head = Segment.head(false, base, 0, firstSequence, 0, generation);
    write(name, (long) Segment.HEAD + size, file -> file.write(head, 0));
    return openOrTakeBack(name);
  }

  /** Opens a new file; one that cannot be opened must not be there at the next start. */
  private Segment openOrTakeBack(String name) throws IOException {
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

  /** What fills a new file. */
  interface Content {
    void writeTo(Disk.File file) throws IOException;
  }

  /**
   * Makes a file that is whole and durable before it has its name.
   *
   * @throws IOException when there is no room; then there is no such file
   */
  void write(String name, long size, Content content) throws IOException {
    String unfinished = name + UNFINISHED;
    try {
      Disk.File file = disk.create(unfinished, size);
      try {
        content.writeTo(file);
        file.sync();
      } finally {
        file.close();
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

  /** Puts a rewritten segment in the place of those that it was made of, and deletes them. */
  void replace(List<Segment> old, String rewritten) throws IOException {
    List<Segment> segments = new ArrayList<>(current.segments());
    int at = segments.indexOf(old.get(0));
    segments.subList(at, at + old.size()).clear();
    Segment segment = openOrTakeBack(rewritten);
    segments.add(at, segment);
    show(segments);
    segment.release();
    old.forEach(gone -> delete(gone.name()));
    disk.sync();
  }

  private void show(List<Segment> segments) {
    LogView before = current;
    current = new LogView(segments);
    before.close();
  }

  /** How many bytes the files can take at most. */
  long capacity() {
    return current.segments().stream().mapToLong(segment -> segment.view().capacity()).sum();
  }

  /** How many bytes of a segment that does not grow any more are in use. */
  static int size(List<Segment> segments, int index) {
    Segment segment = segments.get(index);
    return segment.isRewritten()
        ? segment.view().capacity()
        : segment.place(segments.get(index + 1).base());
  }

  /** How many bytes can still be written. */
  long usableBytes() throws IOException {
    return disk.usableBytes();
  }

  /** How large a file grows before the next one is begun. */
  int segmentBytes() {
    return segmentBytes;
  }

  @Override
  public void close() {
    isClosed = true;
    current.close();
    active.release();
  }
}
