package gambit.core.store.disk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.lmdbjava.Cursor;
import org.lmdbjava.GetOp;

/** The deferred changes of one index table, applied in key order. One thread. */
final class PendingIndexChanges {
  private static final int DELETION_MARK = 0xff;
  private static final int MAX_CHANGES = 200_000;
  private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

  /** One change. */
  private static final class Change {
    /** The first eight bytes of the key, a shorter key filled up with zeros. */
    final long prefix;

    /** The key, the value, and a byte for the value's length. */
    final byte[] bytes;

    private Change(long prefix, byte[] bytes) {
      this.prefix = prefix;
      this.bytes = bytes;
    }

    static Change of(ByteBuffer key, int valueLength, int mark) {
      int length = key.remaining();
      byte[] bytes = new byte[length + valueLength + 1];
      key.get(key.position(), bytes, 0, length);
      bytes[bytes.length - 1] = (byte) mark;
      return new Change(
          length < Long.BYTES ? shortPrefix(bytes, length) : key.getLong(key.position()), bytes);
    }

    private static long shortPrefix(byte[] key, int length) {
      long prefix = 0;
      for (int i = 0; i < length; i++) {
        prefix |= (key[i] & 0xffL) << (56 - 8 * i);
      }
      return prefix;
    }

    int valueLength() {
      return bytes[bytes.length - 1] & 0xff;
    }

    int keyLength() {
      int length = valueLength();
      return bytes.length - 1 - (length == DELETION_MARK ? 0 : length);
    }

    static int compareKeys(Change a, Change b) {
      return a.prefix != b.prefix
          ? Long.compareUnsigned(a.prefix, b.prefix)
          : Arrays.compareUnsigned(a.bytes, 0, a.keyLength(), b.bytes, 0, b.keyLength());
    }
  }

  /** A stable sort by it keeps changes of one key in order. */
  private static final Comparator<Change> BY_KEY = Change::compareKeys;

  private final List<Change> changes = new ArrayList<>();
  private final ByteBuffer key;
  private final ByteBuffer value;

  /**
   * Creates an empty list.
   *
   * @param key buffer for passing keys to LMDB
   * @param value buffer for passing values
   */
  PendingIndexChanges(ByteBuffer key, ByteBuffer value) {
    this.key = key;
    this.value = value;
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** Whether the list has reached its bound. */
  boolean isFull() {
    return changes.size() >= MAX_CHANGES;
  }

  void put(ByteBuffer key, ByteBuffer value) {
    int length = value.remaining();
    Change change = Change.of(key, length, length);
    if (length > 0) {
      value.get(value.position(), change.bytes, key.remaining(), length);
    }
    changes.add(change);
  }

  void delete(ByteBuffer key) {
    changes.add(Change.of(key, 0, DELETION_MARK));
  }

  void apply(Cursor<ByteBuffer> cursor) {
    if (changes.size() > 1) {
      changes.sort(BY_KEY);
    }
    for (Change change : changes) {
      int length = change.valueLength();
      key.clear().put(change.bytes, 0, change.keyLength()).flip();
      if (length == DELETION_MARK) {
        if (cursor.get(key, GetOp.MDB_SET)) {
          cursor.delete();
        }
      } else if (length == 0) {
        cursor.put(key, EMPTY);
      } else {
        value.clear().put(change.bytes, change.keyLength(), length).flip();
        cursor.put(key, value);
      }
    }
    changes.clear();
  }
}
