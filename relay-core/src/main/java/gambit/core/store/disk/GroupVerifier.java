package gambit.core.store.disk;

import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Verifies the group checksums of a version 1 segment, whose records have no checksums. A group and
 * those before it are checked when one of its records is first read; a rewritten segment is checked
 * as a whole. It remembers the position reached and the damaged ranges. Thread-safe.
 */
final class GroupVerifier {
  private final Segment segment;
  private final ConcurrentSkipListMap<Integer, Integer> damagedRanges =
      new ConcurrentSkipListMap<>();
  private volatile int checkedTo = Segment.HEAD_BYTES;

  GroupVerifier(Segment segment) {
    this.segment = segment;
  }

  /** Whether the group of the record at that position is intact. */
  boolean isIntact(int at) {
    if (at >= checkedTo) {
      checkTo(at);
    }
    var range = damagedRanges.floorEntry(at);
    return range == null || range.getValue() <= at;
  }

  private synchronized void checkTo(int at) {
    if (segment.isRewritten()) {
      if (checkedTo == Segment.HEAD_BYTES && !segment.hasValidChecksum()) {
        damagedRanges.put(Segment.HEAD_BYTES, Integer.MAX_VALUE);
      }
      checkedTo = Integer.MAX_VALUE;
    }
    while (checkedTo <= at) {
      int group = checkedTo;
      int end = segment.view().capacity();
      if (RecordGroup.isGroup(segment.view(), group, end, segment.salt())) {
        checkedTo = group + RecordGroup.size(segment.view(), group);
      } else {
        int next = segment.nextGroup(group + 8, end);
        damagedRanges.put(group, next);
        checkedTo = next;
      }
    }
  }
}
