package gambit.core.store.disk.index;

import gambit.core.store.disk.lmdb.LmdbCursor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cursor on a table of the index: LMDB's entries, and over them the changes that LMDB does not
 * have. The changes are parts of runs, the oldest first, each in the order of its keys; a newer
 * part counts where several have a key. One thread.
 */
public final class TableCursor implements AutoCloseable {
  private static final int MAX_KEY_BYTES = 512;
  private static final int MIN_VALUE_BYTES = 64;
  private static final int TYPICAL_PARTS = 8;
  private static final byte[][] NOTHING = {};

  private final LmdbCursor stored;
  private byte[][][] parts = new byte[TYPICAL_PARTS][][];
  private int[] starts = new int[TYPICAL_PARTS];
  private int[] ends = new int[TYPICAL_PARTS];
  private int count; // of the parts, none of which is empty
  private int version;
  private int renewed;
  private int[] next = new int[0]; // in each part, the first change that is not before the position
  private boolean hasStored; // whether LMDB's cursor is at an entry, the first not before it
  private byte @Nullable [] head; // the first of the changes at next
  private boolean isAtChange; // whether the position is at the head, not at LMDB's entry
  private boolean isHeadStored; // whether LMDB's entry has the head's key
  private boolean hasChangedKey; // whether the head's key is in its buffer
  private @Nullable ByteBuffer changedKey;
  private @Nullable ByteBuffer changedValue;
  private @Nullable ByteBuffer scratch;

  /** A cursor of a transaction that was renewed that number of times. */
  TableCursor(LmdbCursor stored, int renewed) {
    this.stored = stored;
    this.renewed = renewed;
  }

  /** The number of times that the cursor's transaction had been renewed when the cursor was. */
  int renewed() {
    return renewed;
  }

  int version() {
    return version;
  }

  boolean hasChanges() {
    return count > 0;
  }

  /**
   * Forgets the changes, so that those of another version can be added. The cursor must be moved
   * before it is read again.
   */
  void beginChanges(int newVersion) {
    version = newVersion;
    releaseChanges();
  }

  /** Forgets changes, whose memory would be kept otherwise until the cursor is used again. */
  void releaseChanges() {
    Arrays.fill(parts, 0, count, NOTHING);
    count = 0;
    head = null;
    isAtChange = false;
  }

  /** Adds changes that are newer than all others. */
  void addChanges(byte[][] changes, int start, int end) {
    if (start == end) {
      return;
    }
    if (count == parts.length) {
      parts = Arrays.copyOf(parts, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    parts[count] = changes;
    starts[count] = start;
    ends[count] = end;
    count++;
  }

  /** The index of a part's first change that is not before the key, whose prefix is given. */
  private int firstFrom(int part, long prefix, ByteBuffer key) {
    byte[][] changes = parts[part];
    int from = starts[part];
    int to = ends[part];
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (IndexChange.compareKey(changes[middle], prefix, key) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** The last change of a key, or null if there is none. */
  byte @Nullable [] find(ByteBuffer key) {
    if (count == 0) {
      return null;
    }
    long prefix = IndexChange.prefix(key);
    for (int i = count - 1; i >= 0; i--) {
      int at = firstFrom(i, prefix, key);
      if (at < ends[i] && IndexChange.compareKey(parts[i][at], prefix, key) == 0) {
        return parts[i][at];
      }
    }
    return null;
  }

  /** Uses the cursor in its transaction, which was renewed that number of times. */
  void renew(int times) {
    stored.renew();
    renewed = times;
  }

  /** Moves to the first entry whose key is at or after the given one, if there is one. */
  boolean seek(ByteBuffer key) {
    hasStored = stored.seek(key);
    return count == 0 ? hasStored : seekChanges(key);
  }

  private boolean seekChanges(ByteBuffer key) {
    long prefix = IndexChange.prefix(key);
    if (next.length < count) {
      next = new int[count];
    }
    for (int i = 0; i < count; i++) {
      next[i] = firstFrom(i, prefix, key);
    }
    findHead();
    return settle();
  }

  /** Sets the head: of several changes of a key, the newest. */
  private void findHead() {
    head = null;
    for (int i = count - 1; i >= 0; i--) {
      if (next[i] < ends[i]) {
        byte[] change = parts[i][next[i]];
        if (head == null || IndexChange.compareKeys(change, head) < 0) {
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
      if (!IndexChange.isDeletion(head)) {
        isAtChange = true;
        hasChangedKey = false;
        return true;
      }
      passHead(head);
    }
    isAtChange = false;
    return hasStored;
  }

  private static int compareHead(byte[] head, ByteBuffer key) {
    return IndexChange.compareKey(head, IndexChange.prefix(key), key);
  }

  /** Moves past all changes of the head's key, and past LMDB's entry of that key. */
  private void passHead(byte[] passed) {
    for (int i = 0; i < count; i++) {
      if (next[i] < ends[i] && IndexChange.compareKeys(parts[i][next[i]], passed) == 0) {
        next[i]++;
      }
    }
    if (isHeadStored) {
      hasStored = stored.next();
    }
    findHead();
  }

  public boolean next() {
    if (isAtChange && head != null) {
      passHead(head);
    } else {
      hasStored = stored.next();
    }
    return settle();
  }

  /** Moves to the entry before the one at the cursor; returns false if there is none. */
  boolean previous() {
    return count == 0 ? stored.previous() : moveBefore(key());
  }

  boolean last() {
    return count == 0 ? stored.last() : moveBefore(null);
  }

  /** Moves to the last entry in force before a key; null for the last of all. */
  private boolean moveBefore(@Nullable ByteBuffer bound) {
    ByteBuffer limit = bound == null ? null : copy(bound);
    while (true) {
      boolean isAfter = limit != null && stored.seek(limit);
      boolean isFound = isAfter ? stored.previous() : stored.last();
      byte[] change = lastBefore(limit);
      if (change == null || (isFound && compareHead(change, stored.key()) < 0)) {
        return isFound && seek(copy(stored.key()));
      }
      limit = IndexChange.putKey(change, scratch());
      if (!IndexChange.isDeletion(change)) {
        return seek(limit);
      }
    }
  }

  /** The last change before a key; of several changes of its key, the newest. */
  private byte @Nullable [] lastBefore(@Nullable ByteBuffer limit) {
    byte[] last = null;
    for (int i = count - 1; i >= 0; i--) {
      int end = limit == null ? ends[i] : firstFrom(i, IndexChange.prefix(limit), limit);
      if (end > starts[i]) {
        byte[] change = parts[i][end - 1];
        if (last == null || IndexChange.compareKeys(change, last) > 0) {
          last = change;
        }
      }
    }
    return last;
  }

  private ByteBuffer copy(ByteBuffer key) {
    int length = key.remaining();
    return scratch().clear().put(0, key, key.position(), length).limit(length);
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
  public ByteBuffer key() {
    if (!isAtChange || head == null) {
      return stored.key();
    }
    ByteBuffer key = changedKey;
    if (key == null) {
      key = ByteBuffer.allocateDirect(MAX_KEY_BYTES);
      changedKey = key;
    }
    if (!hasChangedKey) {
      IndexChange.putKey(head, key);
      hasChangedKey = true;
    }
    return key;
  }

  /** The value at the cursor; valid until the cursor is moved. */
  public ByteBuffer value() {
    return isAtChange && head != null ? valueOf(head) : stored.value();
  }

  /** The kind that is the value at the cursor. */
  public int kind() {
    return isAtChange && head != null
        ? IndexKeys.kind(valueOf(head))
        : stored.shortValue() & 0xffff;
  }

  /** The value of a change; valid until the next call, and until the cursor is moved. */
  ByteBuffer valueOf(byte[] change) {
    ByteBuffer value = changedValue;
    if (value == null || value.capacity() < IndexChange.valueLength(change)) {
      value =
          ByteBuffer.allocateDirect(Math.max(MIN_VALUE_BYTES, 2 * IndexChange.valueLength(change)));
      changedValue = value;
    }
    return IndexChange.putValue(change, value);
  }

  @Override
  public void close() {
    stored.close();
  }
}
