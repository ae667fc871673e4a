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
  private static final ByteBuffer CHECKPOINT = Index.name("checkpoint");

  private final IndexWriter index;
  private final Map<Long, Dead> dead = new HashMap<>();
  private final ByteBuffer offset = ByteBuffer.allocateDirect(8);
  private long added;
  private long addedBytes;

  /**
   * Up to where the log is in the index.
   *
   * @param groupAt where its last group begins
   * @param end where that ends
   * @param eventBytes what the records of all stored events take
   */
  record Checkpoint(long groupAt, long sequence, long end, long eventBytes) {}

  /**
   * What is not wanted any more in a segment.
   *
   * @param erasedSince since when erased bytes are among it, in seconds of Unix time, or 0
   */
  record Dead(long bytes, long erasedSince) {
    static final Dead NONE = new Dead(0, 0);

    Dead and(long more, long erasedAt) {
      return new Dead(bytes + more, erasedSince == 0 ? erasedAt : erasedSince);
    }
  }

  IndexUpdate(IndexWriter index) {
    this.index = index;
  }

  /** By how much the number of events has changed. */
  long added() {
    return added;
  }

  /** By how much the bytes of their records have changed. */
  long addedBytes() {
    return addedBytes;
  }

  void add(StoredEvent stored) {
    index.keys().entries(stored, index::put);
    added++;
    addedBytes += Records.countedSizeOfEvent(stored.event());
  }

  private void remove(StoredEvent stored) {
    index.keys().entries(stored, (table, key, value) -> index.delete(table, key));
    added--;
    addedBytes -= Records.countedSizeOfEvent(stored.event());
  }

  void putRow(String table, byte[] key, long at) {
    index.put(Table.ROW, index.keys().row(table, key), offset.clear().putLong(at).flip());
  }

  void removeRow(String table, byte[] key) {
    index.delete(Table.ROW, index.keys().row(table, key));
  }

  /** Takes from the index whatever the record is in it; false when it was gone already. */
  boolean remove(ByteBuffer in, int at, long target) {
    if (Records.kind(in, at) == Records.EVENT) {
      StoredEvent stored = Records.event(in, at, target);
      if (holds(index, stored.event().id(), target)) {
        remove(stored);
        return true;
      }
    } else if (Records.kind(in, at) == Records.ROW) {
      String table = Records.table(in, at);
      byte[] key = Records.key(in, at);
      if (rowAt(index, table, key) == target) {
        removeRow(table, key);
        return true;
      }
    }
    return false;
  }

  /** Whether the index has the event at that offset. */
  static boolean holds(IndexView view, EventId id, long offset) {
    return view.get(Table.ID, view.keys().id(id, offset)) != null;
  }

  /** The offset of a row's record, or -1. */
  static long rowAt(IndexView view, String table, byte[] key) {
    ByteBuffer found = view.get(Table.ROW, view.keys().row(table, key));
    return found == null ? -1 : found.getLong(0);
  }

  /** Counts bytes of a segment that are not wanted any more. */
  void died(long segmentBase, long bytes, long erasedAt) {
    dead.put(segmentBase, dead(segmentBase).and(bytes, erasedAt));
  }

  /** From now on all that is dead is to be erased. */
  void eraseRemoved(long time) {
    boolean more = index.seek(Table.DEAD, index.keys().segment(0));
    while (more) {
      died(index.key(Table.DEAD).getLong(0), 0, time);
      more = index.next(Table.DEAD);
    }
    dead.replaceAll((base, value) -> value.and(0, time));
  }

  /** Gives what is said of bases that no segment has to those in whose range they lie. */
  boolean foldDead(LogView view) {
    Map<Long, Dead> orphans = new HashMap<>();
    boolean more = index.seek(Table.DEAD, index.keys().segment(0));
    while (more) {
      long base = index.key(Table.DEAD).getLong(0);
      if (view.segmentOf(base).base() != base) {
        ByteBuffer value = index.value(Table.DEAD);
        orphans.put(base, new Dead(value.getLong(0), value.getLong(8)));
      }
      more = index.next(Table.DEAD);
    }
    orphans.forEach(
        (base, value) -> {
          setDead(base, Dead.NONE);
          died(view.segmentOf(base).base(), value.bytes(), value.erasedSince());
        });
    return !orphans.isEmpty();
  }

  /** Sets what is not wanted any more in a segment. */
  void setDead(long segmentBase, Dead value) {
    dead.put(segmentBase, value);
  }

  private Dead dead(long segmentBase) {
    Dead known = dead.get(segmentBase);
    return known != null ? known : dead(index, segmentBase);
  }

  static Dead dead(IndexView view, long segmentBase) {
    ByteBuffer found = view.get(Table.DEAD, view.keys().segment(segmentBase));
    return found == null ? Dead.NONE : new Dead(found.getLong(0), found.getLong(8));
  }

  /** Writes down what was counted, and how far the log has been followed. */
  void finish(@Nullable Checkpoint reached) {
    dead.forEach(
        (base, value) -> {
          ByteBuffer key = index.keys().segment(base);
          if (value.equals(Dead.NONE)) {
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
    dead.clear();
    if (reached != null) {
      index.put(
          Table.META,
          CHECKPOINT.duplicate(),
          ByteBuffer.allocateDirect(32)
              .putLong(reached.groupAt())
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
