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

  /**
   * A change is the key, the value, and a byte for the value's length. The stable sort keeps
   * changes of one key in order.
   */
  private static final Comparator<byte[]> BY_KEY =
      (a, b) -> Arrays.compareUnsigned(a, 0, keyLength(a), b, 0, keyLength(b));

  private final List<byte[]> changes = new ArrayList<>();
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
    int keyLength = key.remaining();
    int length = value.remaining();
    byte[] change = new byte[keyLength + length + 1];
    key.get(key.position(), change, 0, keyLength);
    value.get(value.position(), change, keyLength, length);
    change[keyLength + length] = (byte) length;
    changes.add(change);
  }

  void delete(ByteBuffer key) {
    byte[] change = new byte[key.remaining() + 1];
    key.get(key.position(), change, 0, change.length - 1);
    change[change.length - 1] = (byte) DELETION_MARK;
    changes.add(change);
  }

  void apply(Cursor<ByteBuffer> cursor) {
    if (changes.size() > 1) {
      changes.sort(BY_KEY);
    }
    for (byte[] change : changes) {
      int length = valueLength(change);
      key.clear().put(change, 0, keyLength(change)).flip();
      if (length == DELETION_MARK) {
        if (cursor.get(key, GetOp.MDB_SET)) {
          cursor.delete();
        }
      } else if (length == 0) {
        cursor.put(key, EMPTY);
      } else {
        value.clear().put(change, keyLength(change), length).flip();
        cursor.put(key, value);
      }
    }
    changes.clear();
  }

  private static int valueLength(byte[] change) {
    return change[change.length - 1] & 0xff;
  }

  private static int keyLength(byte[] change) {
    int length = valueLength(change);
    return change.length - 1 - (length == DELETION_MARK ? 0 : length);
  }
}
