package gambit.core.store.disk;

import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The checksums of a segment of version 1, whose records have none of their own: a group is checked
 * when one of its records is first read, together with the groups before it; a rewritten segment is
 * checked as a whole. Keeps how far it has come and the bad stretches. Thread-safe.
 */
final class GroupVerifier {
  private final Segment segment;
  private final ConcurrentSkipListMap<Integer, Integer> damagedRanges =
      new ConcurrentSkipListMap<>();
  private volatile int checkedTo = Segment.HEAD_BYTES;

  GroupVerifier(Segment segment) {
    this.segment = segment;
  }

  /** Whether the group in which a record stands is what was written. */
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
      if (Group.isGroup(segment.view(), group, end, segment.salt())) {
        checkedTo = group + Group.size(segment.view(), group);
      } else {
        int next = segment.nextGroup(group + 8, end);
        damagedRanges.put(group, next);
        checkedTo = next;
      }
    }
  }
}
