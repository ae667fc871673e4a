package gambit.core.store.disk.index;

import gambit.core.model.EventId;
import gambit.core.store.StoreDamaged;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies records of the log to the index in a transaction, during a commit and during replay. One
 * thread.
 */
public final class IndexUpdate {
  private static final ByteBuffer CHECKPOINT = Index.metaKey("checkpoint");

  private final IndexWriter index;
  private final IdSumUpdate idSums;
  private final Map<Long, DeadBytes> deadBytes = new HashMap<>();
  private final IndexKeys.EntryVisitor additions; // one for all events
  private final IndexKeys.EntryVisitor removals;
  private long addedEvents;
  private long addedBytes;

  /** The last indexed group, where it begins and ends, and the size of all events' records. */
  public record Checkpoint(long groupOffset, long sequence, long end, long eventBytes) {}

  /** The dead bytes of a segment; since when they include erased ones, in seconds, or 0. */
  public record DeadBytes(long bytes, long erasedSince) {
    public static final DeadBytes NONE = new DeadBytes(0, 0);

    static DeadBytes read(ByteBuffer value) {
      return new DeadBytes(IndexKeys.longAt(value, 0), IndexKeys.longAt(value, 8));
    }

    DeadBytes plus(long more, long erasedAt) {
      return new DeadBytes(bytes + more, erasedSince == 0 ? erasedAt : erasedSince);
    }
  }

  IndexUpdate(IndexWriter index) {
    this.index = index;
    this.idSums = new IdSumUpdate(index);
    this.additions = index::put;
    this.removals = (table, key, value) -> index.delete(table, key);
  }

  void clear() {
    idSums.clear();
    deadBytes.clear();
    addedEvents = 0;
    addedBytes = 0;
  }

  public long addedEvents() {
    return addedEvents;
  }

  public long addedBytes() {
    return addedBytes;
  }

  public void add(StoredEvent stored) {
    index.keys().entries(stored, additions);
    idSums.add(stored.event());
    addedEvents++;
    addedBytes += Records.sizeOfEvent(stored.event());
  }

  /** Removes the entries of an event from the index; returns false if they were removed before. */
  public boolean remove(StoredEvent stored) {
    if (!contains(index, stored.event().id(), stored.offset())) {
      return false;
    }
    index.keys().entries(stored, removals);
    idSums.remove(stored.event());
    addedEvents--;
    addedBytes -= Records.sizeOfEvent(stored.event());
    return true;
  }

  /**
   * Applies a record that is in the log: one that the index does not have when the store is opened,
   * or of a group of another store.
   *
   * @throws StoreDamaged when its kind is unknown, or it removes a damaged record
   */
  public void replay(LogView view, ByteBuffer in, int at, long offset) throws StoreDamaged {
    switch (Records.kind(in, at)) {
      case Records.EVENT -> add(Records.event(in, at, offset));
      case Records.ROW -> putRow(Records.table(in, at), Records.key(in, at), offset);
      case Records.ERASURE -> eraseRemoved(Records.erasureTime(in, at));
      case Records.REMOVAL -> replayRemoval(view, in, at);
      default ->
          throw new StoreDamaged(view.segmentOf(offset).name(), at, "unknown kind of record");
    }
  }

  /** Applies a removal; the removed record may no longer be in the log. */
  private void replayRemoval(LogView view, ByteBuffer in, int at) throws StoreDamaged {
    long target = Records.target(in, at);
    Segment segment = view.segmentOf(target);
    int removedAt = segment.findRecord(target);
    if (removedAt < 0) {
      return;
    }
    if (!segment.isIntact(removedAt, target)) {
      throw new StoreDamaged(segment.name(), removedAt, "the record is damaged");
    }
    ByteBuffer removed = segment.view();
    long bytes = Records.size(removed, removedAt);
    addDeadBytes(segment.base(), bytes, Records.erasedAt(in, at));
    if (Records.kind(removed, removedAt) == Records.EVENT) {
      remove(Records.event(removed, removedAt, target));
    } else if (Records.kind(removed, removedAt) == Records.ROW) {
      String table = Records.table(removed, removedAt);
      byte[] key = Records.key(removed, removedAt);
      if (rowOffset(index, table, key) == target) {
        removeRow(table, key);
      }
    }
  }

  /** Counts the head of a group without records as dead bytes. */
  public void replayGroupEnd(LogView view, long groupOffset, long end) {
    if (end - groupOffset == RecordGroup.HEAD_BYTES) {
      Segment segment = view.segmentOf(groupOffset);
      if (!segment.isRewritten()) {
        addDeadBytes(segment.base(), RecordGroup.HEAD_BYTES, 0);
      }
    }
  }

  public void putRow(String table, byte[] key, long offset) {
    index.put(Table.ROW, index.keys().rowKey(table, key), index.keys().longsValue(offset));
  }

  public void removeRow(String table, byte[] key) {
    index.delete(Table.ROW, index.keys().rowKey(table, key));
  }

  public static boolean contains(IndexView view, EventId id, long offset) {
    return view.get(Table.ID, view.keys().idKey(id, offset)) != null;
  }

  public static long rowOffset(IndexView view, String table, byte[] key) {
    ByteBuffer found = view.get(Table.ROW, view.keys().rowKey(table, key));
    return found == null ? -1 : IndexKeys.longAt(found, 0);
  }

  public void addDeadBytes(long segmentBase, long bytes, long erasedAt) {
    deadBytes.put(segmentBase, deadBytes(segmentBase).plus(bytes, erasedAt));
  }

  /** Marks all dead bytes as erased at the given time. */
  public void eraseRemoved(long time) {
    forEachDeadBytes((base, value) -> addDeadBytes(base, 0, time));
    deadBytes.replaceAll((base, value) -> value.plus(0, time));
  }

  /**
   * Moves the dead bytes of segments that no longer exist to the segments that contain their
   * offsets; returns whether there were any.
   */
  public boolean reassignDeadBytes(LogView view) {
    Map<Long, DeadBytes> orphans = new HashMap<>();
    forEachDeadBytes(
        (base, value) -> {
          if (view.segmentOf(base).base() != base) {
            orphans.put(base, value);
          }
        });
    orphans.forEach(
        (base, value) -> {
          setDeadBytes(base, DeadBytes.NONE);
          addDeadBytes(view.segmentOf(base).base(), value.bytes(), value.erasedSince());
        });
    return !orphans.isEmpty();
  }

  private void forEachDeadBytes(BiConsumer<Long, DeadBytes> visitor) {
    boolean more = index.seek(Table.DEAD, index.keys().segmentKey(0));
    while (more) {
      long base = IndexKeys.longAt(index.key(Table.DEAD), 0);
      visitor.accept(base, DeadBytes.read(index.value(Table.DEAD)));
      more = index.next(Table.DEAD);
    }
  }

  public void setDeadBytes(long segmentBase, DeadBytes value) {
    deadBytes.put(segmentBase, value);
  }

  private DeadBytes deadBytes(long segmentBase) {
    DeadBytes known = deadBytes.get(segmentBase);
    return known != null ? known : deadBytes(index, segmentBase);
  }

  public static DeadBytes deadBytes(IndexView view, long segmentBase) {
    ByteBuffer found = view.get(Table.DEAD, view.keys().segmentKey(segmentBase));
    return found == null ? DeadBytes.NONE : DeadBytes.read(found);
  }

  /** Applies the changes of sums, which need those of all events. */
  public void applySums() {
    idSums.apply();
  }

  /** Writes the dead bytes and the checkpoint to the index. */
  public void write(@Nullable Checkpoint reached) {
    deadBytes.forEach(
        (base, value) -> {
          ByteBuffer key = index.keys().segmentKey(base);
          if (value.equals(DeadBytes.NONE)) {
            index.delete(Table.DEAD, key);
          } else {
            index.put(Table.DEAD, key, index.keys().longsValue(value.bytes(), value.erasedSince()));
          }
        });
    deadBytes.clear();
    if (reached != null) {
      index.put(
          Table.META,
          CHECKPOINT,
          index
              .keys()
              .longsValue(
                  reached.groupOffset(), reached.sequence(), reached.end(), reached.eventBytes()));
    }
  }

  /** The checkpoint of the index, or null if nothing is indexed. */
  public static @Nullable Checkpoint checkpoint(IndexView view) {
    ByteBuffer found = view.get(Table.META, CHECKPOINT.duplicate());
    return found == null
        ? null
        : new Checkpoint(
            IndexKeys.longAt(found, 0),
            IndexKeys.longAt(found, 8),
            IndexKeys.longAt(found, 16),
            IndexKeys.longAt(found, 24));
  }
}
