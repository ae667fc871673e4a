package gambit.core.store.disk;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;

/**
 * A cursor on a table of the index: LMDB's entries with the changes of {@link IndexRuns} over them.
 * One thread.
 */
final class TableCursor implements AutoCloseable {
  private static final int MAX_KEY_BYTES = 512;

  private final Cursor<ByteBuffer> stored;
  private IndexRuns runs = IndexRuns.NONE;
  private int version;
  private int renewed;
  private int[] next = new int[0]; // in each run, the first change that is not before the position
  private boolean hasStored; // whether LMDB's cursor is at an entry, the first not before it
  private @Nullable IndexChange head; // the first of the changes at next
  private boolean isAtChange; // whether the position is at the head, not at LMDB's entry
  private boolean isHeadStored; // whether LMDB's entry has the head's key
  private @Nullable ByteBuffer changedKey;
  private @Nullable ByteBuffer scratch;

  /** A cursor of a transaction that was renewed that number of times. */
  TableCursor(Cursor<ByteBuffer> stored, int renewed) {
    this.stored = stored;
    this.renewed = renewed;
  }

  /** The number of times that the cursor's transaction had been renewed when the cursor was. */
  int renewed() {
    return renewed;
  }

  /** The version of the changes. */
  int version() {
    return version;
  }

  IndexRuns changes() {
    return runs;
  }

  /** Sets the changes; the cursor must be moved before it is read again. */
  void setChanges(IndexRuns changes, int version) {
    this.version = version;
    runs = changes;
    if (next.length < changes.count()) {
      next = new int[changes.count()];
    }
    head = null;
    isAtChange = false;
  }

  /** Forgets changes, whose memory would be kept otherwise until the cursor is used again. */
  void releaseChanges() {
    runs = IndexRuns.NONE;
    head = null;
    isAtChange = false;
  }

  /** Uses the cursor in a transaction that was renewed that number of times. */
  void renew(Txn<ByteBuffer> txn, int times) {
    stored.renew(txn);
    renewed = times;
  }

  /** Moves to the first entry whose key is at or after the given one, if there is one. */
  boolean seek(ByteBuffer key) {
    hasStored = stored.get(key, GetOp.MDB_SET_RANGE);
    return runs.count() == 0 ? hasStored : seekChanges(key);
  }

  private boolean seekChanges(ByteBuffer key) {
    long prefix = IndexChange.prefix(key);
    for (int i = 0; i < runs.count(); i++) {
      next[i] = runs.get(i).before(prefix, key);
    }
    findHead();
    return settle();
  }

  /** Sets the head: of several changes of a key, the newest. */
  private void findHead() {
    head = null;
    for (int i = runs.count() - 1; i >= 0; i--) {
      if (next[i] < runs.get(i).size()) {
        IndexChange change = runs.get(i).get(next[i]);
        if (head == null || IndexChange.BY_KEY.compare(change, head) < 0) {
          head = change;
        }
      }
    }
  }

  /** Moves to the first entry that is in force; returns false if there is none. */
  private boolean settle() {
    while (head != null) {
      int order = hasStored ? compareHead(head, stored.key()) : -1;
      if (order > 0) {
        isAtChange = false;
        return true;
      }
      isHeadStored = order == 0;
      if (!head.isDeletion()) {
        isAtChange = true;
        changedKey = null;
        return true;
      }
      passHead(head);
    }
    isAtChange = false;
    return hasStored;
  }

  private static int compareHead(IndexChange head, ByteBuffer key) {
    return head.compareKeyTo(IndexChange.prefix(key), key);
  }

  /** Moves past all changes of the head's key, and past LMDB's entry of that key. */
  private void passHead(IndexChange passed) {
    for (int i = 0; i < runs.count(); i++) {
      if (next[i] < runs.get(i).size()
          && IndexChange.BY_KEY.compare(runs.get(i).get(next[i]), passed) == 0) {
        next[i]++;
      }
    }
    if (isHeadStored) {
      hasStored = stored.next();
    }
    findHead();
  }

  /** Moves to the next entry; returns false if there is none. */
  boolean next() {
    if (isAtChange && head != null) {
      passHead(head);
    } else {
      hasStored = stored.next();
    }
    return settle();
  }

  /** Moves to the entry before the one at the cursor; returns false if there is none. */
  boolean previous() {
    return runs.count() == 0 ? stored.prev() : moveBefore(key());
  }

  /** Moves to the last entry; returns false if there is none. */
  boolean last() {
    return runs.count() == 0 ? stored.last() : moveBefore(null);
  }

  /**
   * Moves to the last entry in force before a key.
   *
   * @param bound null for the last entry of all
   */
  private boolean moveBefore(@Nullable ByteBuffer bound) {
    ByteBuffer limit = bound == null ? null : copy(bound);
    while (true) {
      boolean isAfter = limit != null && stored.get(limit, GetOp.MDB_SET_RANGE);
      boolean isFound = isAfter ? stored.prev() : stored.last();
      IndexChange change = lastBefore(limit);
      if (change == null || (isFound && compareHead(change, stored.key()) < 0)) {
        return isFound && seek(copy(stored.key()));
      }
      limit = change.putKey(scratch());
      if (!change.isDeletion()) {
        return seek(limit);
      }
    }
  }

  /** The last change before a key; of several changes of its key, the newest. */
  private @Nullable IndexChange lastBefore(@Nullable ByteBuffer limit) {
    IndexChange last = null;
    for (int i = runs.count() - 1; i >= 0; i--) {
      IndexRun run = runs.get(i);
      int before = limit == null ? run.size() : run.before(IndexChange.prefix(limit), limit);
      if (before > 0
          && (last == null || IndexChange.BY_KEY.compare(run.get(before - 1), last) > 0)) {
        last = run.get(before - 1);
      }
    }
    return last;
  }

  private ByteBuffer copy(ByteBuffer key) {
    return scratch().clear().put(key.duplicate()).flip();
  }

  private ByteBuffer scratch() {
    ByteBuffer buffer = scratch;
    if (buffer == null) {
      buffer = ByteBuffer.allocateDirect(MAX_KEY_BYTES);
      scratch = buffer;
    }
    return buffer;
  }

  /** The key at the cursor; valid until the cursor is moved. */
  ByteBuffer key() {
    if (!isAtChange || head == null) {
      return stored.key();
    }
    ByteBuffer key = changedKey;
    if (key == null) {
      key = head.key();
      changedKey = key;
    }
    return key;
  }

  /** The value at the cursor; valid until the cursor is moved. */
  ByteBuffer val() {
    return isAtChange && head != null ? head.value() : stored.val();
  }

  @Override
  public void close() {
    stored.close();
  }
}
