package gambit.core.store.disk.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;

/**
 * An entry that is put into an index table, or a key that is deleted from it, as an array that
 * nobody modifies: the changes in memory are many, and an array takes half of the memory of an
 * object with one.
 *
 * <pre>
 * 0 whether it is a deletion (the highest bit), length of the key 2 · key · value
 * </pre>
 */
final class IndexChange {
  /** The order of keys in the index: byte by byte, without signs, a prefix first. */
  static final Comparator<byte[]> BY_KEY = IndexChange::compareKeys;

  private static final int KEY_AT = 2;
  private static final int DELETION = 1 << 15;
  private static final int LENGTH_MASK = DELETION - 1;

  /** Memory of a change besides its bytes: the array's head and end, and the place in a run. */
  private static final int OBJECT_BYTES = 24;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private IndexChange() {}

  /** An entry that is put; the buffers are copied. */
  static byte[] put(ByteBuffer key, ByteBuffer value) {
    int length = key.remaining();
    byte[] change = new byte[KEY_AT + length + value.remaining()];
    SHORTS.set(change, 0, (short) length);
    key.get(key.position(), change, KEY_AT, length);
    value.get(value.position(), change, KEY_AT + length, value.remaining());
    return change;
  }

  /** A key that is deleted; the buffer is copied. */
  static byte[] deletion(ByteBuffer key) {
    int length = key.remaining();
    byte[] change = new byte[KEY_AT + length];
    SHORTS.set(change, 0, (short) (DELETION | length));
    key.get(key.position(), change, KEY_AT, length);
    return change;
  }

  static boolean isDeletion(byte[] change) {
    return change[0] < 0;
  }

  private static int keyLength(byte[] change) {
    return (short) SHORTS.get(change, 0) & LENGTH_MASK;
  }

  static int valueLength(byte[] change) {
    return change.length - KEY_AT - keyLength(change);
  }

  static ByteBuffer putKey(byte[] change, ByteBuffer to) {
    return to.clear().put(change, KEY_AT, keyLength(change)).flip();
  }

  static ByteBuffer putValue(byte[] change, ByteBuffer to) {
    int length = valueLength(change);
    return to.clear().put(change, change.length - length, length).flip();
  }

  static int memoryBytes(byte[] change) {
    return OBJECT_BYTES + change.length;
  }

  /** The first eight bytes of a key, with which most comparisons end; a shorter one with zeros. */
  static long prefix(ByteBuffer key) {
    if (key.remaining() >= Long.BYTES) {
      return key.getLong(key.position());
    }
    long prefix = 0;
    for (int i = 0; i < key.remaining(); i++) {
      prefix |= (key.get(key.position() + i) & 0xffL) << (56 - 8 * i);
    }
    return prefix;
  }

  private static long prefix(byte[] change) {
    int length = keyLength(change);
    return length >= Long.BYTES
        ? (long) LONGS.get(change, KEY_AT)
        : prefix(ByteBuffer.wrap(change, KEY_AT, length));
  }

  static int compareKeys(byte[] a, byte[] b) {
    long prefixA = prefix(a);
    long prefixB = prefix(b);
    return prefixA != prefixB
        ? Long.compareUnsigned(prefixA, prefixB)
        : Arrays.compareUnsigned(
            a, KEY_AT, KEY_AT + keyLength(a), b, KEY_AT, KEY_AT + keyLength(b));
  }

  /** Compares a change's key with another one, whose {@link #prefix} is given. */
  static int compareKey(byte[] change, long otherPrefix, ByteBuffer other) {
    long prefix = prefix(change);
    if (prefix != otherPrefix) {
      return Long.compareUnsigned(prefix, otherPrefix);
    }
    int length = keyLength(change);
    int otherLength = other.remaining();
    int common = Math.min(length, otherLength);
    int i = Math.min(Long.BYTES, common);
    for (; i + Long.BYTES <= common; i += Long.BYTES) { // keys of rows begin with their table
      long word = (long) LONGS.get(change, KEY_AT + i);
      long otherWord = other.getLong(other.position() + i);
      if (word != otherWord) {
        return Long.compareUnsigned(word, otherWord);
      }
    }
    for (; i < common; i++) {
      int difference = (change[KEY_AT + i] & 0xff) - (other.get(other.position() + i) & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return length - otherLength;
  }
}
