package gambit.core.store.disk.log;

import gambit.core.store.StoreDamaged;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the groups of the log that the index lacks when a store is opened, and checks each. A
 * damaged group prevents the start, except for the last ones of the log that are not known to be
 * complete: their commit was interrupted, and they are cleared. Damage before these groups is
 * noticed when a record is read ({@link DamagedRecords}). The holder of the store's write lock; for
 * one use.
 */
public final class StartupScan {
  private static final Logger LOG = LoggerFactory.getLogger(StartupScan.class);

  private final LogFiles files;
  private final LogVisitor visitor;
  private final Segment active; // the last segment
  private final ByteBuffer piece = ByteBuffer.allocate(64 << 10).limit(0); // of the active segment
  private int pieceBegin;
  private long next; // number of the next group
  private long newestGroup = -1;

  /** Receives the records and groups in log order. */
  public interface LogVisitor extends Segment.RecordVisitor<StoreDamaged> {
    /** Called after all records of groups up to that offset. */
    void groupEnd(long offset, long groupOffset, long sequence) throws IOException;
  }

  StartupScan(LogFiles files, LogVisitor visitor) {
    this.files = files;
    this.visitor = visitor;
    this.active = files.segments().get(files.segments().size() - 1);
  }

  /** The number of the group that will follow. */
  long nextSequence() {
    return next;
  }

  /** The offset of the last group that was visited; -1 if there was none in an original segment. */
  long newestGroup() {
    return newestGroup;
  }

  /** Visits the groups; returns the position in the last segment at which the log ends. */
  int run(long fromOffset, long groupSequence, long finishedTo) throws IOException {
    next = groupSequence;
    List<Segment> segments = files.segments();
    for (int i = indexOf(fromOffset); i < segments.size() - 1; i++) {
      Segment segment = segments.get(i);
      if (segment.isRewritten() && segment.base() < fromOffset) {
        next = segment.lastSequence() + 1;
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
    if (segment.firstSequence() != next) {
      throw new StoreDamaged(segment.name(), 0, "it does not begin with group " + next);
    }
    segment.forEachRecord(0, visitor);
    visitor.groupEnd(segment.end(), segment.base(), segment.lastSequence());
    next = segment.lastSequence() + 1;
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
        && RecordGroup.sequence(in, at) == next) {
      segment.forEachRecordOf(at, visitor);
      int end = at + RecordGroup.size(in, at);
      newestGroup = segment.offsetOf(at);
      visitor.groupEnd(segment.offsetOf(end), newestGroup, next++);
      at = end;
    }
    return at;
  }

  /**
   * Clears the start of an unfinished group after the last complete one. Nothing else may be there
   * but groups that were to be synced together with it.
   */
  private void clearUnfinished(int position) throws IOException {
    ByteBuffer view = active.view();
    int dirtyTo = position;
    for (int at = nextUsed(position); at >= 0; at = nextUsed(at + 8)) {
      dirtyTo = at + 8;
      if (RecordGroup.isGroup(view, at, view.capacity(), active.salt())
          && !RecordGroup.isSyncedWith(next, view, at)) {
        throw damaged(active, position, ", but an intact one follows at byte " + at);
      }
    }
    if (dirtyTo > position) {
      LOG.warn(
          "Segment {}: dropped unfinished groups of {} bytes at byte {}",
          active.name(),
          dirtyTo - position,
          position);
      EventLog.writeZeros(active.file(), position, dirtyTo);
      active.file().sync();
    }
  }

  private StoreDamaged damaged(Segment segment, int at, String more) {
    return new StoreDamaged(segment.name(), at, "group " + next + " is damaged" + more);
  }

  /**
   * The first eight bytes from a position on that are not all zero; -1 without such. The file is
   * read, because pages of the view would stay in the memory of the process.
   */
  private int nextUsed(int from) throws IOException {
    int at = from;
    while (isInPiece(at) || readPiece(at)) {
      ByteBuffer rest = piece.duplicate().position(at - pieceBegin);
      int used = rest.slice().mismatch(EventLog.ZEROS.duplicate().limit(rest.remaining()));
      if (used >= 0) {
        return at + (used & -8);
      }
      at = pieceBegin + piece.limit();
    }
    return -1;
  }

  private boolean isInPiece(int at) {
    return at >= pieceBegin && at < pieceBegin + piece.limit();
  }

  /** Reads a piece of the active segment, of eight bytes or more; false at its end. */
  private boolean readPiece(int at) throws IOException {
    int length = Math.min(active.file().read(piece.clear(), at), active.view().capacity() - at);
    pieceBegin = at;
    piece.position(0).limit(Math.max(0, length & -8));
    return piece.hasRemaining();
  }
}
