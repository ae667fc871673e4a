package gambit.core.store.disk;

import gambit.core.store.EventStore;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.EventStore.AppliedGroup.RowName;
import gambit.core.store.LogGroup;
import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreFailure;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IndexWriter;
import gambit.core.store.disk.log.EventLog;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Applies groups of another store, all or none: they are checked, appended to the log with one
 * sync, and then indexed in one transaction. The holder of the store's write lock; for one use.
 */
final class GroupReplication {
  private static final long MAX_BYTES = 1 << 30;

  private final DiskEventStore store;
  private final EventLog log;
  private final RecordGroup buffer;
  private final IndexWriter index;
  private final long start; // the end of the log
  private final TreeMap<Long, ByteBuffer> recordsRead = new TreeMap<>(); // by their offsets
  private long nextSequence;
  private long nextOffset;

  GroupReplication(DiskEventStore store, EventLog log, RecordGroup buffer, IndexWriter index) {
    this.store = store;
    this.log = log;
    this.buffer = buffer;
    this.index = index;
    this.start = log.end();
    this.nextSequence = log.nextSequence();
    this.nextOffset = start;
  }

  /** A checked group: its events and changed rows, and the offsets of the events it removes. */
  private record ReceivedGroup(
      LogGroup group, List<StoredEvent> added, Map<Row, RowName> rows, List<Long> removedEvents) {

    long recordsOffset() {
      return group.offset() + RecordGroup.HEAD_BYTES;
    }

    long end() {
      return group.offset() + sizeOf(group);
    }

    static long sizeOf(LogGroup group) {
      return ((long) RecordGroup.HEAD_BYTES + group.records().length + 7) & -8;
    }

    ByteBuffer records() {
      return ByteBuffer.wrap(group.records());
    }
  }

  List<AppliedGroup> apply(List<LogGroup> groups) throws IOException {
    List<ReceivedGroup> received = read(groups);
    store.requireRoomInIndex();
    long size = received.get(received.size() - 1).end() - start;
    log.append(groups, buffer, (int) size);
    List<Long> removedEvents = new ArrayList<>();
    try (LogView view = log.files().view()) {
      for (ReceivedGroup group : received) {
        replay(group, view);
        group.removedEvents().stream().filter(it -> it < start).forEach(removedEvents::add);
      }
      index.update().applySums();
      store.commitIndex(index, received.get(received.size() - 1).group().offset());
    } catch (IOException | RuntimeException e) {
      throw new StoreFailure("groups of another node could not be stored", e);
    }
    store.publishChanges(index.update(), removedEvents);
    return received.stream()
        .map(it -> new AppliedGroup(it.added(), List.copyOf(it.rows().values())))
        .toList();
  }

  private List<ReceivedGroup> read(List<LogGroup> groups) {
    if (groups.stream().mapToLong(ReceivedGroup::sizeOf).sum() > MAX_BYTES) {
      throw new IllegalArgumentException("the groups are too large to be applied at once");
    }
    try (LogView view = log.files().view()) {
      return groups.stream().map(group -> read(group, view)).toList();
    }
  }

  private void replay(ReceivedGroup group, LogView view) throws StoreDamaged {
    ByteBuffer in = group.records();
    List<StoredEvent> added = group.added();
    int events = 0;
    for (int at = 0; at < in.capacity(); at += Records.size(in, at)) {
      if (Records.kind(in, at) == Records.EVENT) {
        index.update().add(added.get(events++)); // has been decoded
      } else {
        index.update().replay(view, in, at, group.recordsOffset() + at);
      }
    }
    index.update().replayGroupEnd(view, group.group().offset(), group.end());
  }

  private record Target(ByteBuffer in, int at) {}

  /** Checks and decodes the next group; an IllegalArgumentException names its fault. */
  private ReceivedGroup read(LogGroup group, LogView view) {
    require(
        group.sequence() == nextSequence && group.offset() == nextOffset,
        group,
        "does not follow group " + (nextSequence - 1) + ", which ends at offset " + nextOffset);
    ReceivedGroup received =
        new ReceivedGroup(group, new ArrayList<>(), new LinkedHashMap<>(), new ArrayList<>(0));
    ByteBuffer in = received.records();
    recordsRead.put(received.recordsOffset(), in);
    int at = 0;
    for (int i = 0; i < group.count(); i++) {
      long offset = received.recordsOffset() + at;
      require(Records.isIntact(in, at, offset), group, "has a damaged record");
      readRecord(received, in, at, offset, view);
      at += Records.size(in, at);
    }
    require(at == in.capacity(), group, "has more bytes than records");
    nextSequence++;
    nextOffset = received.end();
    return received;
  }

  private void readRecord(ReceivedGroup to, ByteBuffer in, int at, long offset, LogView view) {
    if (Records.kind(in, at) == Records.EVENT) {
      to.added().add(event(to.group(), in, at, offset));
      return;
    }
    require(Records.isWellFormed(in, at), to.group(), "has a record that is not well formed");
    if (Records.kind(in, at) == Records.ROW) {
      addRow(to, in, at);
    } else if (Records.kind(in, at) == Records.REMOVAL) {
      Target target = target(Records.target(in, at), offset, view);
      if (target == null) {
        throw refusal(to.group(), "removes a record that this store does not have intact");
      } else if (Records.kind(target.in(), target.at()) == Records.ROW) {
        addRow(to, target.in(), target.at());
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

  private static void addRow(ReceivedGroup to, ByteBuffer in, int at) {
    String table = Records.table(in, at);
    byte[] key = Records.key(in, at);
    EventStore.requireValidRowName(table, key);
    to.rows().putIfAbsent(new Row(table, ByteBuffer.wrap(key)), new RowName(table, key));
  }

  /** The event or row with that offset, which must be before the removal; null if there is none. */
  private @Nullable Target target(long target, long removal, LogView view) {
    if (target < 0 || target >= removal) {
      return null;
    }
    Target found = target >= start ? targetRead(target) : targetInLog(target, view);
    return found != null
            && (Records.mayBeEvent(found.in(), found.at())
                || (Records.kind(found.in(), found.at()) == Records.ROW
                    && Records.isWellFormed(found.in(), found.at())))
        ? found
        : null;
  }

  private @Nullable Target targetRead(long target) {
    Map.Entry<Long, ByteBuffer> group = recordsRead.floorEntry(target);
    if (group == null) {
      return null;
    }
    long at = target - group.getKey();
    ByteBuffer in = group.getValue();
    return at < in.capacity() && Records.isIntact(in, (int) at, target)
        ? new Target(in, (int) at)
        : null;
  }

  private @Nullable Target targetInLog(long target, LogView view) {
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
