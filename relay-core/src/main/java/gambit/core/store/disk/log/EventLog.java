package gambit.core.store.disk.log;

import gambit.core.store.LogGroup;
import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The append-only log of groups, the authoritative data of the store. Offsets count all bytes ever
 * appended, without the heads of files. A record keeps its offset when its segment is rewritten.
 *
 * <p>Threads: the holder of the store's write lock.
 */
public final class EventLog {
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
   * Visits and checks the groups from an offset on ({@link StartupScan}), and finds the end of the
   * log.
   *
   * @param fromOffset the start of a group
   * @param groupSequence the number of that group
   * @param finishedTo the offset up to which groups are known to be complete
   * @throws StoreDamaged when a complete group, or a group before an intact one, is damaged
   */
  public void scan(
      long fromOffset, long groupSequence, long finishedTo, StartupScan.LogVisitor visitor)
      throws IOException {
    StartupScan scan = new StartupScan(files, visitor);
    position = scan.run(fromOffset, groupSequence, finishedTo);
    allocatedTo = position;
    nextSequence = scan.nextSequence();
    newestGroup = scan.newestGroup();
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
}
