package gambit.core.store.disk.log;

import gambit.core.store.AppliedGroup;
import gambit.core.store.EventStore;
import gambit.core.store.LogGroup;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks and decodes groups of another store that are to follow the end of this store's log. One
 * thread, for one list of groups.
 */
public final class GroupReader {
  private final LogView view;
  private final long logEnd;
  private final TreeMap<Long, ByteBuffer> read = new TreeMap<>(); // by the offsets of the records
  private long nextSequence;
  private long nextOffset;

  /** Reads the groups from the end of the log on; the first one has that number. */
  public GroupReader(LogView view, long nextSequence, long logEnd) {
    this.view = view;
    this.logEnd = logEnd;
    this.nextSequence = nextSequence;
    this.nextOffset = logEnd;
  }

  /** A checked group: its events and changed rows, and the offsets of the events it removes. */
  public record ReceivedGroup(
      LogGroup group,
      List<StoredEvent> added,
      List<AppliedGroup.RowName> rows,
      List<Long> removedEvents) {

    public long recordsOffset() {
      return group.offset() + RecordGroup.HEAD_BYTES;
    }

    public long end() {
      return group.offset() + sizeOf(group);
    }

    public static long sizeOf(LogGroup group) {
      return ((long) RecordGroup.HEAD_BYTES + group.records().length + 7) & -8;
    }

    public ByteBuffer records() {
      return ByteBuffer.wrap(group.records());
    }
  }

  private record Target(ByteBuffer in, int at) {
    boolean isRow() {
      return Records.kind(in, at) == Records.ROW;
    }
  }

  /**
   * Reads the next group.
   *
   * @throws IllegalArgumentException when it does not follow the one before it, or a record is not
   *     well formed, or one that it removes is missing or damaged
   */
  public ReceivedGroup read(LogGroup group) {
    require(
        group.sequence() == nextSequence && group.offset() == nextOffset,
        group,
        "does not follow group " + (nextSequence - 1) + ", which ends at offset " + nextOffset);
    ReceivedGroup received =
        new ReceivedGroup(group, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(0));
    ByteBuffer in = received.records();
    read.put(received.recordsOffset(), in);
    Set<Row> rows = new HashSet<>();
    int at = 0;
    for (int i = 0; i < group.count(); i++) {
      long offset = received.recordsOffset() + at;
      require(Records.isIntact(in, at, offset), group, "has a damaged record");
      readRecord(received, rows, in, at, offset);
      at += Records.size(in, at);
    }
    require(at == in.capacity(), group, "has more bytes than records");
    nextSequence++;
    nextOffset = received.end();
    return received;
  }

  private void readRecord(ReceivedGroup to, Set<Row> rows, ByteBuffer in, int at, long offset) {
    if (Records.kind(in, at) == Records.EVENT) {
      to.added().add(event(to.group(), in, at, offset));
      return;
    }
    require(Records.isWellFormed(in, at), to.group(), "has a record that is not well formed");
    if (Records.kind(in, at) == Records.ROW) {
      addRow(to, rows, in, at);
    } else if (Records.kind(in, at) == Records.REMOVAL) {
      Target target = target(Records.target(in, at), offset);
      if (target == null) {
        throw refusal(to.group(), "removes a record that this store does not have intact");
      } else if (target.isRow()) {
        addRow(to, rows, target.in(), target.at());
      } else {
        to.removedEvents().add(Records.target(in, at));
      }
    }
  }

  private static StoredEvent event(LogGroup group, ByteBuffer in, int at, long offset) {
    StoredEvent stored = null;
    try {
      stored = Records.mayBeEvent(in, at) ? Records.event(in, at, offset) : null;
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("group " + group.sequence() + " has a malformed event", e);
    }
    if (stored == null || stored.event().createdAt() >= EventStore.TIMESTAMP_BOUND) {
      throw refusal(group, "has a malformed event");
    }
    return stored;
  }

  private record Row(String table, ByteBuffer key) {}

  private static void addRow(ReceivedGroup to, Set<Row> rows, ByteBuffer in, int at) {
    String table = Records.table(in, at);
    byte[] key = Records.key(in, at);
    EventStore.requireValidRowName(table, key);
    if (rows.add(new Row(table, ByteBuffer.wrap(key)))) {
      to.rows().add(new AppliedGroup.RowName(table, key));
    }
  }

  /** The event or row with that offset, which must be before the removal; null if there is none. */
  private @Nullable Target target(long target, long removal) {
    if (target < 0 || target >= removal) {
      return null;
    }
    Target found = target >= logEnd ? targetRead(target) : targetInLog(target);
    return found != null
            && (Records.mayBeEvent(found.in(), found.at())
                || (found.isRow() && Records.isWellFormed(found.in(), found.at())))
        ? found
        : null;
  }

  private @Nullable Target targetRead(long target) {
    Map.Entry<Long, ByteBuffer> group = read.floorEntry(target);
    if (group == null) {
      return null;
    }
    long at = target - group.getKey();
    ByteBuffer in = group.getValue();
    return at < in.capacity() && Records.isIntact(in, (int) at, target)
        ? new Target(in, (int) at)
        : null;
  }

  private @Nullable Target targetInLog(long target) {
    Segment segment = view.segmentOf(target);
    int at = segment.findRecord(target);
    return at >= 0 && segment.isIntact(at, target) ? new Target(segment.view(), at) : null;
  }

  private static void require(boolean condition, LogGroup group, String objection) {
    if (!condition) {
      throw refusal(group, objection);
    }
  }

  private static IllegalArgumentException refusal(LogGroup group, String objection) {
    return new IllegalArgumentException(
        "group " + group.sequence() + " at offset " + group.offset() + " " + objection);
  }
}
