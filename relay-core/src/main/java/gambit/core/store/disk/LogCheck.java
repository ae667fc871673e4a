package gambit.core.store.disk;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Checks a log: structure and checksums of groups and records, on request ids and signatures of
 * events. Another process may be appending to the last segment. One thread, with helper threads
 * that verify signatures.
 */
final class LogCheck {
  private static final int READ_BYTES = 1 << 20;
  private static final int EVENTS_PER_BATCH = 2_048;

  private final Consumer<String> faultSink;
  private final @Nullable EventVerifier verifier;
  private final List<EventRecord> unverified = new ArrayList<>(EVENTS_PER_BATCH);
  private final StoreProgress progress;
  private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BYTES);
  private final Set<Segment> unreadable = new HashSet<>();
  private final LongStream.Builder foundDamaged = LongStream.builder();
  private final LongStream.Builder foundRemoved = LongStream.builder();
  private long[] damagedOffsets = {}; // sorted, like the removed ones
  private long[] removedOffsets = {};
  private long groups;
  private long records;
  private long events;
  private long faults;
  private long end;
  private long doneBytes; // of the segments before the current one
  private long totalBytes;

  /** Creates a check of checksums; a verifier checks the ids and signatures of events, too. */
  LogCheck(Consumer<String> faultSink, @Nullable EventVerifier verifier, StoreProgress progress) {
    this.faultSink = faultSink;
    this.verifier = verifier;
    this.progress = progress;
  }

  /** Checks all segments; the groups before the known end are complete, since they are indexed. */
  void run(List<Segment> segments, long known) {
    for (int i = 0; i < segments.size(); i++) {
      totalBytes += usedBytes(segments, i);
    }
    for (int i = 0; i < segments.size(); i++) {
      checkSegment(segments, i, known);
      doneBytes += usedBytes(segments, i);
      progress.progress(doneBytes, totalBytes);
    }
    verifyEvents();
    removedOffsets = foundRemoved.build().sorted().toArray();
    damagedOffsets = foundDamaged.build().sorted().toArray();
  }

  /** Checks one segment; returns the position at which its content ends. */
  int runOn(List<Segment> segments, int i) {
    checkSegment(segments, i, 0);
    verifyEvents();
    boolean isLast = i == segments.size() - 1;
    return isLast ? segments.get(i).position(end) : LogFiles.usedBytes(segments, i);
  }

  /** The number of bytes of a segment that are checked; of the last one, an upper bound. */
  private static long usedBytes(List<Segment> segments, int i) {
    Segment segment = segments.get(i);
    return i == segments.size() - 1
        ? segment.view().capacity()
        : Math.max(0, Math.min(LogFiles.usedBytes(segments, i), segment.view().capacity()));
  }

  long groups() {
    return groups;
  }

  long records() {
    return records;
  }

  long events() {
    return events;
  }

  long end() {
    return end;
  }

  boolean isDamaged(long offset) {
    return Arrays.binarySearch(damagedOffsets, offset) >= 0;
  }

  /** Visits the events and rows that have not been removed, up to the end that was checked. */
  void forEachInForce(List<Segment> segments, Segment.RecordVisitor<RuntimeException> visitor) {
    for (Segment segment : segments) {
      if (unreadable.contains(segment)) {
        continue;
      }
      boolean isLast = segment == segments.get(segments.size() - 1);
      segment.forEachRecord(
          isLast && !segment.isRewritten() ? segment.position(end) : segment.view().capacity(),
          (it, at, offset) -> {
            int kind = Records.kind(it.view(), at);
            if ((kind == Records.EVENT || kind == Records.ROW)
                && Arrays.binarySearch(removedOffsets, offset) < 0) {
              visitor.record(it, at, offset);
            }
          });
    }
  }

  private record EventRecord(Segment segment, int at, long offset) {}

  /** Verifies the ids and signatures of the events that were read since the last batch. */
  private void verifyEvents() {
    if (verifier == null) {
      return;
    }
    List<String> faults = unverified.stream().parallel().map(it -> faultOf(it, verifier)).toList();
    for (int i = 0; i < faults.size(); i++) {
      if (!faults.get(i).isEmpty()) {
        EventRecord bad = unverified.get(i);
        report(bad.segment(), bad.at(), bad.offset(), faults.get(i));
      }
    }
    unverified.clear();
  }

  private static String faultOf(EventRecord it, EventVerifier verifier) {
    try {
      Event event = Records.event(it.segment().view(), it.at(), it.offset()).event();
      if (!verifier.hasValidId(event)) {
        return "its id is invalid";
      }
      return verifier.hasValidSignature(event) ? "" : "its signature is invalid";
    } catch (RuntimeException e) {
      return "its fields do not fit into it";
    }
  }

  private void report(Segment segment, int at, String what) {
    faults++;
    faultSink.accept("segment " + segment.name() + ", byte " + at + ": " + what);
  }

  /** Reports a fault of a record, with the id of its event if it is known. */
  private void report(Segment segment, int at, long offset, String what) {
    foundDamaged.add(offset);
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
    end = segment.base();
    if (!isReadable(segment)) {
      unreadable.add(segment);
    } else if (segment.isRewritten()) {
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
   * Reads a file as a whole, which reports a failing disk; a read of a mapping would end the
   * process. Afterwards, the mapping finds its pages in memory.
   */
  private boolean isReadable(Segment segment) {
    int at = 0;
    try {
      for (int read = 0; read >= 0; read = segment.file().read(readBuffer.clear(), at)) {
        at += read;
      }
      return true;
    } catch (IOException e) {
      report(segment, at, "it cannot be read: " + e.getMessage());
      return false;
    }
  }

  /**
   * Checks the groups of an original segment, and returns their end; after {@code finishedTo}, one
   * may be unfinished.
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
        int to = at + RecordGroup.HEAD_BYTES + in.getInt(at + 4);
        checkRecords(segment, at + RecordGroup.HEAD_BYTES, to);
        at += RecordGroup.size(in, at);
        progress.progress(doneBytes + at, totalBytes);
      } else {
        int next = segment.nextGroup(at + 8, end);
        if (next == end && at >= finishedTo) {
          return at; // zeros, or a group that is not finished
        }
        if (RecordGroup.isGroup(in, at, end, segment.salt())) {
          continue; // it was finished meanwhile, before the next one
        }
        if (at >= finishedTo && RecordGroup.isSyncedWith(sequence, in, next)) {
          return at; // the sync of both was not finished
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
      checkRecords(segment, from, from + length);
      verifyEvents();
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
    verifyEvents();
    if (!isRight && faults == before) {
      report(segment, 0, "its checksum is wrong");
    }
  }

  private static boolean fits(Segment segment, int at, int limit) {
    return Records.size(segment.view(), at) <= limit - at;
  }

  private void checkRecords(Segment segment, int from, int to) {
    int at = from;
    int count = RecordGroup.recordCount(segment.view(), from - RecordGroup.HEAD_BYTES);
    for (int i = 0; i < count; i++) {
      if (at > to - Records.HEAD_BYTES || !fits(segment, at, to)) {
        report(segment, Math.min(at, to), segment.offsetOf(at), "the record's length is wrong");
        return;
      }
      checkRecord(segment, at, segment.offsetOf(at));
      at += Records.size(segment.view(), at);
    }
  }

  private void checkRecord(Segment segment, int at, long offset) {
    ByteBuffer in = segment.view();
    records++;
    if (!segment.isIntact(at, offset)) {
      report(segment, at, offset, "the record is damaged");
      return;
    }
    switch (Records.kind(in, at)) {
      case Records.EVENT -> {
        events++;
        if (!Records.mayBeEvent(in, at)) {
          report(segment, at, offset, "the record is too short for an event");
        } else if (verifier != null) {
          unverified.add(new EventRecord(segment, at, offset));
          if (unverified.size() == EVENTS_PER_BATCH) {
            verifyEvents();
          }
        }
      }
      case Records.REMOVAL, Records.ROW, Records.ERASURE -> {
        if (!Records.isWellFormed(in, at)) {
          report(segment, at, offset, "the record's fields do not fit into it");
        } else if (Records.kind(in, at) == Records.REMOVAL) {
          foundRemoved.add(Records.target(in, at));
        }
      }
      default -> report(segment, at, offset, "the record has an unknown kind");
    }
  }
}
