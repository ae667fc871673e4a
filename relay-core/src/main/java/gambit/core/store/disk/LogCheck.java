package gambit.core.store.disk;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Checks the log of a store that is not open: structure and checksums of groups and records, ids
 * and signatures of events. One thread, with helper threads that verify signatures.
 */
final class LogCheck {
  /** Number of events verified together. */
  private static final int EVENTS_PER_BATCH = 2_048;

  private final EventVerifier verifier;
  private final Consumer<String> faultSink;
  private final List<Unverified> unverified = new ArrayList<>(EVENTS_PER_BATCH);
  private final List<Long> damagedOffsets = new ArrayList<>();
  private long[] removedOffsets = new long[1_024];
  private int removedCount;
  private long groups;
  private long records;
  private long events;
  private long faults;
  private long end;

  /** An event's record that is intact but not verified yet. */
  private record Unverified(Segment segment, int at, long offset) {}

  /** Receives a record and its position. */
  interface RecordVisitor {
    void record(Segment segment, int at, long offset);
  }

  /**
   * Creates a check.
   *
   * @param faultSink receives each fault
   */
  LogCheck(EventVerifier verifier, Consumer<String> faultSink) {
    this.verifier = verifier;
    this.faultSink = faultSink;
  }

  /**
   * Checks all segments.
   *
   * @param known the end of the log as far as it is indexed; the groups before it are complete
   */
  void run(List<Segment> segments, long known) {
    for (int i = 0; i < segments.size(); i++) {
      checkSegment(segments, i, known);
    }
    verifyAll();
    removedOffsets = Arrays.copyOf(removedOffsets, removedCount);
    Arrays.sort(removedOffsets);
    damagedOffsets.sort(null);
  }

  /** Groups in original segments; rewritten ones contain records only. */
  long groups() {
    return groups;
  }

  long records() {
    return records;
  }

  long events() {
    return events;
  }

  /** The offset at which the log ends. */
  long end() {
    return end;
  }

  /** Whether a fault of that record was reported. */
  boolean isDamaged(long offset) {
    return Collections.binarySearch(damagedOffsets, offset) >= 0;
  }

  /** Visits the events and rows that have not been removed. */
  void forEachInForce(List<Segment> segments, RecordVisitor visitor) {
    for (Segment segment : segments) {
      forEachRecord(
          segment,
          (it, at, offset) -> {
            int kind = Records.kind(it.view(), at);
            if ((kind == Records.EVENT || kind == Records.ROW)
                && Arrays.binarySearch(removedOffsets, offset) < 0) {
              visitor.record(it, at, offset);
            }
          });
    }
  }

  private void report(Segment segment, int at, String what) {
    faults++;
    faultSink.accept("segment " + segment.name() + ", byte " + at + ": " + what);
  }

  /** Reports a fault of a record, with the id of its event if it is known. */
  private void report(Segment segment, int at, long offset, String what) {
    damagedOffsets.add(offset);
    ByteBuffer in = segment.view();
    Optional<EventId> id =
        Records.mayBeEvent(in, at)
            ? Optional.of(PackedEvent.id(in, Records.packedEventAt(at)))
            : Optional.empty();
    report(segment, at, id.map(it -> "event " + it.hex() + ": ").orElse("") + what);
  }

  private void checkSegment(List<Segment> segments, int i, long known) {
    Segment segment = segments.get(i);
    boolean isLast = i == segments.size() - 1;
    if (segment.isRewritten()) {
      checkRewritten(segment);
    } else if (isLast) {
      int to = segment.view().capacity();
      long finished = Math.max(0, known - segment.base() + Segment.HEAD_BYTES);
      end = segment.offsetOf(checkGroups(segment, to, (int) Math.min(to, finished)));
    } else {
      long next = segments.get(i + 1).base() - segment.base() + Segment.HEAD_BYTES;
      int to = (int) Math.min(next, segment.view().capacity());
      checkGroups(segment, to, to);
    }
  }

  /**
   * Checks the groups of an original segment.
   *
   * @param finishedTo position up to which groups are complete; after it, one may be unfinished
   * @return the end of the groups
   */
  private int checkGroups(Segment segment, int end, int finishedTo) {
    ByteBuffer in = segment.view();
    long sequence = segment.firstSequence();
    int at = Segment.HEAD_BYTES;
    while (at < end) {
      if (RecordGroup.isGroup(in, at, end, segment.salt())) {
        if (RecordGroup.sequence(in, at) != sequence) {
          report(
              segment, at, "group " + RecordGroup.sequence(in, at) + " is not group " + sequence);
        }
        sequence = RecordGroup.sequence(in, at) + 1;
        groups++;
        if (!RecordGroup.isVoid(in, at)) {
          int to = at + RecordGroup.HEAD_BYTES + in.getInt(at + 4);
          checkRecords(segment, at + RecordGroup.HEAD_BYTES, to, RecordGroup.recordCount(in, at));
        }
        at += RecordGroup.size(in, at);
      } else {
        int next = segment.nextGroup(at + 8, end);
        if (next == end && at >= finishedTo) {
          return at; // zeros, or a group that was never finished
        }
        checkDamagedGroup(segment, at, next, sequence);
        sequence++;
        at = next;
      }
    }
    return at;
  }

  /** Reports the damaged records of a damaged group, or the group if they cannot be identified. */
  private void checkDamagedGroup(Segment segment, int at, int next, long sequence) {
    ByteBuffer in = segment.view();
    int length = in.getInt(at + 4);
    long before = faults;
    groups++;
    if (length > 0
        && length <= next - at - RecordGroup.HEAD_BYTES
        && RecordGroup.size(in, at) <= next - at) {
      int from = at + RecordGroup.HEAD_BYTES;
      checkRecords(segment, from, from + length, RecordGroup.recordCount(in, at));
      verifyAll();
    }
    if (faults == before) {
      report(segment, at, "group " + sequence + " is damaged");
    }
  }

  private void checkRewritten(Segment segment) {
    long before = faults;
    boolean isRight = segment.hasValidChecksum();
    int limit =
        segment.view().capacity()
            - Segment.FOOT_BYTES
            - segment.recordCount() * Segment.ENTRY_BYTES;
    for (int i = 0; i < segment.recordCount(); i++) {
      int at = segment.positionAt(i);
      long offset = segment.offsetAt(i);
      if (at < Segment.HEAD_BYTES || at > limit - Records.HEAD_BYTES || !fits(segment, at, limit)) {
        report(segment, at, offset, "the record does not fit into its segment");
      } else {
        checkRecord(segment, at, offset);
      }
    }
    verifyAll();
    if (!isRight && faults == before) {
      report(segment, 0, "its checksum is wrong");
    }
  }

  private static boolean fits(Segment segment, int at, int limit) {
    return Records.size(segment.view(), at) <= limit - at;
  }

  private void checkRecords(Segment segment, int from, int to, int count) {
    int at = from;
    for (int i = 0; i < count; i++) {
      if (at > to - Records.HEAD_BYTES || !fits(segment, at, to)) {
        report(segment, Math.min(at, to), segment.offsetOf(at), "the record's length is wrong");
        return;
      }
      checkRecord(segment, at, segment.offsetOf(at));
      at += Records.size(segment.view(), at);
    }
  }

  /** Checks a record that lies within its group. */
  private void checkRecord(Segment segment, int at, long offset) {
    ByteBuffer in = segment.view();
    records++;
    if (segment.hasRecordChecksums() && !segment.isIntact(at, offset)) {
      report(segment, at, offset, "the record is damaged");
      return;
    }
    switch (Records.kind(in, at)) {
      case Records.EVENT -> {
        events++;
        unverified.add(new Unverified(segment, at, offset));
        if (unverified.size() == EVENTS_PER_BATCH) {
          verifyAll();
        }
      }
      case Records.REMOVAL, Records.ROW, Records.ERASURE -> {
        if (!Records.isWellFormed(in, at)) {
          report(segment, at, offset, "the record's fields do not fit into it");
        } else if (Records.kind(in, at) == Records.REMOVAL) {
          addRemoved(Records.target(in, at));
        }
      }
      default -> report(segment, at, offset, "the record has an unknown kind");
    }
  }

  private void addRemoved(long offset) {
    if (removedCount == removedOffsets.length) {
      removedOffsets = Arrays.copyOf(removedOffsets, 2 * removedCount);
    }
    removedOffsets[removedCount++] = offset;
  }

  /** Verifies the collected events. */
  private void verifyAll() {
    List<String> objections =
        IntStream.range(0, unverified.size())
            .parallel()
            .mapToObj(i -> faultOf(unverified.get(i)))
            .toList();
    for (int i = 0; i < objections.size(); i++) {
      if (!objections.get(i).isEmpty()) {
        Unverified bad = unverified.get(i);
        report(bad.segment(), bad.at(), bad.offset(), objections.get(i));
      }
    }
    unverified.clear();
  }

  /** The fault of an event, or an empty text. */
  private String faultOf(Unverified it) {
    ByteBuffer in = it.segment().view();
    if (!Records.mayBeEvent(in, it.at())) {
      return "the record is too short for an event";
    }
    try {
      Event event = Records.event(in, it.at(), it.offset()).event();
      if (!verifier.hasValidId(event)) {
        return "its id is invalid";
      }
      return verifier.hasValidSignature(event) ? "" : "its signature is invalid";
    } catch (RuntimeException e) {
      return "its fields do not fit into it";
    }
  }

  /** Visits the records that intact groups and lengths lead to. */
  private static void forEachRecord(Segment segment, RecordVisitor visitor) {
    ByteBuffer in = segment.view();
    if (segment.isRewritten()) {
      for (int i = 0; i < segment.recordCount(); i++) {
        int at = segment.positionAt(i);
        if (at >= Segment.HEAD_BYTES
            && at <= in.capacity() - Records.HEAD_BYTES
            && fits(segment, at, in.capacity())) {
          visitor.record(segment, at, segment.offsetAt(i));
        }
      }
      return;
    }
    int end = in.capacity();
    int group = segment.nextGroup(Segment.HEAD_BYTES, end);
    while (group < end) {
      int at = group + RecordGroup.HEAD_BYTES;
      for (int i = 0;
          i < RecordGroup.recordCount(in, group) && !RecordGroup.isVoid(in, group);
          i++) {
        visitor.record(segment, at, segment.offsetOf(at));
        at += Records.size(in, at);
      }
      group = segment.nextGroup(group + RecordGroup.size(in, group), end);
    }
  }
}
