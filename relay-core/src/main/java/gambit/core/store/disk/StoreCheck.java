package gambit.core.store.disk;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.LmdbException;

/**
 * Checks a whole store that is not open: checksums and structure of groups and records, ids and
 * signatures of events, and whether the index has every record in force. It reports faults and
 * changes nothing. One thread, with helper threads that verify signatures.
 */
public final class StoreCheck {
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
  private long logEnd;

  /**
   * The result of a check: numbers of the items checked.
   *
   * @param groups groups in original segments; rewritten ones contain records only
   * @param inForce events and rows that have not been removed
   * @param index a short description of the check of the index
   */
  public record Outcome(
      int segments,
      long groups,
      long records,
      long events,
      long inForce,
      long faults,
      String index) {}

  /** An event's record that is intact but not verified yet. */
  private record Unverified(Segment segment, int at, long offset) {}

  private StoreCheck(EventVerifier verifier, Consumer<String> out) {
    this.verifier = verifier;
    this.faultSink = out;
  }

  /**
   * Checks the store in a directory.
   *
   * @param faults receives each fault
   * @throws DirectoryLock.InUse when another process has it open
   * @throws IOException when there is no readable store
   */
  public static Outcome run(Path directory, EventVerifier verifier, Consumer<String> faults)
      throws IOException {
    Path log = directory.resolve("log");
    if (!Files.isDirectory(log)) {
      throw new NoSuchFileException(log.toString(), null, "there is no event log");
    }
    StoreFormat.requireKnown(directory);
    DirectoryLock lock = new DirectoryLock(directory, "lock");
    try (lock) {
      return new StoreCheck(verifier, faults).check(directory, new RealDisk(log));
    }
  }

  private Outcome check(Path directory, Disk disk) throws IOException {
    List<Segment> opened = new ArrayList<>();
    try {
      for (String name : disk.names().stream().filter(Segment::isFileName).sorted().toList()) {
        try {
          opened.add(Segment.open(disk, name));
        } catch (StoreDamaged e) {
          report(e.getMessage());
        }
      }
      List<Segment> segments = LogFiles.liveSegments(opened);
      try {
        LogFiles.requireComplete(segments);
      } catch (StoreDamaged e) {
        report(e.getMessage());
      }
      Path indexFiles = directory.resolve("index");
      boolean isIndexed =
          new IndexState(directory, IndexState.bootId()).isTrustworthy()
              && Files.exists(indexFiles.resolve("data.mdb"));
      if (!isIndexed) {
        return check(segments, null, "not checked: it will be rebuilt at the next start");
      }
      try (Index index = new Index(indexFiles, null);
          IndexCheck check = new IndexCheck(index, this::report)) {
        return check(segments, check, check.entries() + " entries");
      } catch (IndexUnusable | LmdbException e) {
        StoreCheck withoutIndex = new StoreCheck(verifier, faultSink);
        withoutIndex.faults = faults;
        withoutIndex.report(
            "the index cannot be read: " + (e.getCause() == null ? e : e.getCause()));
        return withoutIndex.check(segments, null, "cannot be read");
      }
    } finally {
      opened.forEach(Segment::release);
    }
  }

  private Outcome check(List<Segment> segments, @Nullable IndexCheck index, String words) {
    long known = index == null ? 0 : index.checkpointEnd();
    for (int i = 0; i < segments.size(); i++) {
      checkSegment(segments, i, known);
    }
    verifyAll();
    if (known > logEnd && faults == 0) {
      report("the event log ends before its indexed end");
    }
    removedOffsets = Arrays.copyOf(removedOffsets, removedCount);
    Arrays.sort(removedOffsets);
    damagedOffsets.sort(null);
    long inForce = checkInForce(segments, known, index);
    return new Outcome(segments.size(), groups, records, events, inForce, faults, words);
  }

  private void report(@Nullable String fault) {
    faults++;
    faultSink.accept(String.valueOf(fault));
  }

  private void report(Segment segment, int at, String what) {
    report("segment " + segment.name() + ", byte " + at + ": " + what);
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
      int end = segment.view().capacity();
      long finished = Math.max(0, known - segment.base() + Segment.HEAD_BYTES);
      logEnd = segment.offsetOf(checkGroups(segment, end, (int) Math.min(end, finished)));
    } else {
      long next = segments.get(i + 1).base() - segment.base() + Segment.HEAD_BYTES;
      int end = (int) Math.min(next, segment.view().capacity());
      checkGroups(segment, end, end);
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

  /** Counts the records in force, and checks the index entries of those that must be indexed. */
  private long checkInForce(List<Segment> segments, long known, @Nullable IndexCheck check) {
    long[] inForce = new long[1];
    long before = faults;
    for (Segment segment : segments) {
      forEachRecord(
          segment,
          (at, offset) -> {
            int kind = Records.kind(segment.view(), at);
            if ((kind == Records.EVENT || kind == Records.ROW)
                && Arrays.binarySearch(removedOffsets, offset) < 0) {
              inForce[0]++;
              if (check != null
                  && offset < known
                  && Collections.binarySearch(damagedOffsets, offset) < 0) {
                check.checkEntriesOf(segment, at, offset);
              }
            }
          });
    }
    if (check != null && before == 0 && check.endsAt(logEnd)) {
      check.reportSurplusEntries();
    }
    return inForce[0];
  }

  private interface Visitor {
    void record(int at, long offset);
  }

  /** Visits the records that intact groups and lengths lead to. */
  private static void forEachRecord(Segment segment, Visitor visitor) {
    ByteBuffer in = segment.view();
    if (segment.isRewritten()) {
      for (int i = 0; i < segment.recordCount(); i++) {
        int at = segment.positionAt(i);
        if (at >= Segment.HEAD_BYTES
            && at <= in.capacity() - Records.HEAD_BYTES
            && fits(segment, at, in.capacity())) {
          visitor.record(at, segment.offsetAt(i));
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
        visitor.record(at, segment.offsetOf(at));
        at += Records.size(in, at);
      }
      group = segment.nextGroup(group + RecordGroup.size(in, group), end);
    }
  }
}
