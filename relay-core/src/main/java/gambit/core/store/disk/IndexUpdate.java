package gambit.core.store.disk;

import gambit.core.model.EventId;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the records of the log mean for the index; the same for a commit and for the replay of the
 * log. One thread.
 */
final class IndexUpdate {
  private static final ByteBuffer CHECKPOINT = Index.metaKey("checkpoint");

  private final IndexWriter index;
  private final Map<Long, DeadBytes> deadBytes = new HashMap<>();
  private final ByteBuffer offsetBuffer = ByteBuffer.allocateDirect(8);
  private long addedEvents;
  private long addedBytes;

  /**
   * Up to where the log is in the index.
   *
   * @param groupAt where its last group begins
   * @param end where that ends
   * @param eventBytes what the records of all stored events take
   */
  record Checkpoint(long groupOffset, long sequence, long end, long eventBytes) {}

  /**
   * What is not wanted any more in a segment.
   *
   * @param erasedSince since when erased bytes are among it, in seconds of Unix time, or 0
   */
  record DeadBytes(long bytes, long erasedSince) {
    static final DeadBytes NONE = new DeadBytes(0, 0);

    DeadBytes plus(long more, long erasedAt) {
      return new DeadBytes(bytes + more, erasedSince == 0 ? erasedAt : erasedSince);
    }
  }

  IndexUpdate(IndexWriter index) {
    this.index = index;
  }

  /** By how much the number of events has changed. */
  long addedEvents() {
    return addedEvents;
  }

  /** By how much the bytes of their records have changed. */
  long addedBytes() {
    return addedBytes;
  }

  void add(StoredEvent stored) {
    index.keys().entries(stored, index::put);
    addedEvents++;
    addedBytes += Records.countedSizeOfEvent(stored.event());
  }

  private void remove(StoredEvent stored) {
    index.keys().entries(stored, (table, key, value) -> index.delete(table, key));
    addedEvents--;
    addedBytes -= Records.countedSizeOfEvent(stored.event());
  }

  void putRow(String table, byte[] key, long offset) {
    index.put(
        Table.ROW, index.keys().rowKey(table, key), offsetBuffer.clear().putLong(offset).flip());
  }

  void removeRow(String table, byte[] key) {
    index.delete(Table.ROW, index.keys().rowKey(table, key));
  }

  /** Takes from the index whatever the record is in it; false when it was gone already. */
  boolean remove(ByteBuffer in, int at, long target) {
    if (Records.kind(in, at) == Records.EVENT) {
      StoredEvent stored = Records.event(in, at, target);
      if (contains(index, stored.event().id(), target)) {
        remove(stored);
        return true;
      }
    } else if (Records.kind(in, at) == Records.ROW) {
      String table = Records.table(in, at);
      byte[] key = Records.key(in, at);
      if (rowOffset(index, table, key) == target) {
        removeRow(table, key);
        return true;
      }
    }
    return false;
  }

  /** Whether the index has the event at that offset. */
  static boolean contains(IndexView view, EventId id, long offset) {
    return view.get(Table.ID, view.keys().idKey(id, offset)) != null;
  }

  /** The offset of a row's record, or -1. */
  static long rowOffset(IndexView view, String table, byte[] key) {
    ByteBuffer found = view.get(Table.ROW, view.keys().rowKey(table, key));
    return found == null ? -1 : found.getLong(0);
  }

  /** Counts bytes of a segment that are not wanted any more. */
  void addDeadBytes(long segmentBase, long bytes, long erasedAt) {
    deadBytes.put(segmentBase, deadBytes(segmentBase).plus(bytes, erasedAt));
  }

  /** From now on all that is dead is to be erased. */
  void eraseRemoved(long time) {
    boolean more = index.seek(Table.DEAD, index.keys().segmentKey(0));
    while (more) {
      addDeadBytes(index.key(Table.DEAD).getLong(0), 0, time);
      more = index.next(Table.DEAD);
    }
    deadBytes.replaceAll((base, value) -> value.plus(0, time));
  }

  /** Gives what is said of bases that no segment has to those in whose range they lie. */
  boolean reassignDeadBytes(LogView view) {
    Map<Long, DeadBytes> orphans = new HashMap<>();
    boolean more = index.seek(Table.DEAD, index.keys().segmentKey(0));
    while (more) {
      long base = index.key(Table.DEAD).getLong(0);
      if (view.segmentOf(base).base() != base) {
        ByteBuffer value = index.value(Table.DEAD);
        orphans.put(base, new DeadBytes(value.getLong(0), value.getLong(8)));
      }
      more = index.next(Table.DEAD);
    }
    orphans.forEach(
        (base, value) -> {
          setDeadBytes(base, DeadBytes.NONE);
          addDeadBytes(view.segmentOf(base).base(), value.bytes(), value.erasedSince());
        });
    return !orphans.isEmpty();
  }

  /** Sets what is not wanted any more in a segment. */
  void setDeadBytes(long segmentBase, DeadBytes value) {
    deadBytes.put(segmentBase, value);
  }

  private DeadBytes deadBytes(long segmentBase) {
    DeadBytes known = deadBytes.get(segmentBase);
    return known != null ? known : deadBytes(index, segmentBase);
  }

  static DeadBytes deadBytes(IndexView view, long segmentBase) {
    ByteBuffer found = view.get(Table.DEAD, view.keys().segmentKey(segmentBase));
    return found == null ? DeadBytes.NONE : new DeadBytes(found.getLong(0), found.getLong(8));
  }

  /** Writes down what was counted, and how far the log has been followed. */
  void write(@Nullable Checkpoint reached) {
    deadBytes.forEach(
        (base, value) -> {
          ByteBuffer key = index.keys().segmentKey(base);
          if (value.equals(DeadBytes.NONE)) {
            index.delete(Table.DEAD, key);
          } else {
            index.put(
                Table.DEAD,
                key,
                ByteBuffer.allocateDirect(16)
                    .putLong(value.bytes())
                    .putLong(value.erasedSince())
                    .flip());
          }
        });
    deadBytes.clear();
    if (reached != null) {
      index.put(
          Table.META,
          CHECKPOINT.duplicate(),
          ByteBuffer.allocateDirect(32)
              .putLong(reached.groupOffset())
              .putLong(reached.sequence())
              .putLong(reached.end())
              .putLong(reached.eventBytes())
              .flip());
    }
  }

  /** How far the index has followed the log, or null when it has not begun. */
  static @Nullable Checkpoint checkpoint(IndexView view) {
    ByteBuffer found = view.get(Table.META, CHECKPOINT.duplicate());
    return found == null
        ? null
        : new Checkpoint(found.getLong(0), found.getLong(8), found.getLong(16), found.getLong(24));
  }
}
