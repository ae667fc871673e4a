package gambit.core.store.disk;

import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The checksums of a segment of version 1, whose records have none of their own: a group is checked
 * when one of its records is first read, together with the groups before it; a rewritten segment is
 * checked as a whole. Keeps how far it has come and the bad stretches. Thread-safe.
 */
final class GroupChecks {
  private final Segment segment;
  private final ConcurrentSkipListMap<Integer, Integer> bad = new ConcurrentSkipListMap<>();
  private volatile int checkedTo = Segment.HEAD;

  GroupChecks(Segment segment) {
    this.segment = segment;
  }

  /** Whether the group in which a record stands is what was written. */
  boolean isGood(int at) {
    if (at >= checkedTo) {
      checkTo(at);
    }
    var stretch = bad.floorEntry(at);
    return stretch == null || stretch.getValue() <= at;
  }

  private synchronized void checkTo(int at) {
    if (segment.isRewritten()) {
      if (checkedTo == Segment.HEAD && !segment.hasRightChecksum()) {
        bad.put(Segment.HEAD, Integer.MAX_VALUE);
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
        bad.put(group, next);
        checkedTo = next;
      }
    }
  }
}
