package gambit.core.store.disk.log;

import gambit.core.model.KindSet;
import gambit.core.model.PackedEvent;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects a portion of the log's changes after an offset. A portion ends at the end of a group or,
 * in a rewritten segment, which has no groups, after any record. One thread.
 */
public final class LogChanges {
  private final LogView view;
  private final KindSet kinds;
  private final int max;
  private final List<StoredEvent> added = new ArrayList<>();
  private final List<Long> removed = new ArrayList<>();
  private long upTo;

  private LogChanges(LogView view, long after, KindSet kinds, int max) {
    this.view = view;
    this.upTo = after;
    this.kinds = kinds;
    this.max = max;
  }

  /**
   * Reads a portion.
   *
   * @param after the end of a group, or the offset of a record that is or was in a rewritten
   *     segment
   * @param end the end of the newest committed group
   */
  public static Changes read(LogView view, long after, long end, KindSet kinds, int max) {
    LogChanges changes = new LogChanges(view, after, kinds, max);
    List<Segment> segments = view.segments();
    for (int i = segments.indexOf(view.segmentOf(after));
        i < segments.size() && changes.upTo < end && !changes.isFull();
        i++) {
      Segment segment = segments.get(i);
      if (segment.isRewritten()) {
        changes.readRewritten(segment);
      } else {
        changes.readGroups(
            segment, i + 1 < segments.size() ? Math.min(segments.get(i + 1).base(), end) : end);
      }
    }
    return new Changes(changes.added, changes.removed, changes.upTo);
  }

  private boolean isFull() {
    return added.size() + removed.size() >= max;
  }

  private void readRewritten(Segment segment) {
    for (int i = segment.firstRecordAfter(upTo); i < segment.recordCount(); i++) {
      if (isFull()) {
        return;
      }
      upTo = segment.offsetAt(i);
      readRecord(segment, segment.positionAt(i), upTo);
    }
    upTo = segment.end();
  }

  private void readGroups(Segment segment, long end) {
    ByteBuffer in = segment.view();
    int limit = segment.position(end);
    int at = segment.position(Math.max(upTo, segment.base()));
    while (at < limit && !isFull()) {
      if (!RecordGroup.isGroup(in, at, limit, segment.salt())) {
        at = segment.nextGroup(at + 8, limit); // damaged since the start: no event of it is served
        continue;
      }
      segment.forEachRecordOf(at, this::readRecord);
      at += RecordGroup.size(in, at);
    }
    upTo = segment.offsetOf(at);
  }

  private void readRecord(Segment segment, int at, long offset) {
    ByteBuffer in = segment.view();
    if (isWanted(segment, at)) {
      StoredEvent event = view.event(offset);
      if (event != null) {
        added.add(event);
      }
    } else if (Records.kind(in, at) == Records.REMOVAL && segment.isIntact(at, offset)) {
      addRemoval(Records.target(in, at));
    }
  }

  /** Adds the removal of an event; most other removed records are still there, and are rows. */
  private void addRemoval(long target) {
    Segment segment = view.segmentOf(target);
    int at = segment.findRecord(target);
    if (at < 0 || isWanted(segment, at)) {
      removed.add(target);
    }
  }

  private boolean isWanted(Segment segment, int at) {
    return Records.mayBeEvent(segment.view(), at)
        && kinds.contains(PackedEvent.kind(segment.view(), Records.packedEventAt(at)));
  }
}
