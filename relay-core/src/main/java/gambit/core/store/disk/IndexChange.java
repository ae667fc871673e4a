package gambit.core.store.disk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;

/** An entry that is put into an index table, or a key that is deleted from it. Immutable. */
final class IndexChange {
  /** The order of keys in the index: byte by byte, without signs, a prefix first. */
  static final Comparator<IndexChange> BY_KEY = IndexChange::compareKeys;

  /** Memory of a change besides its key and value: two objects, and its place in a run. */
  private static final int OBJECT_BYTES = 56;

  private final long prefix; // the first eight bytes of the key, a shorter key filled up with zeros
  private final byte[] bytes; // key and value
  private final int keyLength;
  private final boolean isDeletion;

  private IndexChange(long prefix, byte[] bytes, int keyLength, boolean isDeletion) {
    this.prefix = prefix;
    this.bytes = bytes;
    this.keyLength = keyLength;
    this.isDeletion = isDeletion;
  }

  /** An entry that is put; the buffers are copied. */
  static IndexChange put(ByteBuffer key, ByteBuffer value) {
    int keyLength = key.remaining();
    byte[] bytes = new byte[keyLength + value.remaining()];
    key.get(key.position(), bytes, 0, keyLength);
    value.get(value.position(), bytes, keyLength, value.remaining());
    return new IndexChange(prefix(key), bytes, keyLength, false);
  }

  /** A key that is deleted; the buffer is copied. */
  static IndexChange deletion(ByteBuffer key) {
    byte[] bytes = new byte[key.remaining()];
    key.get(key.position(), bytes);
    return new IndexChange(prefix(key), bytes, bytes.length, true);
  }

  /** The first eight bytes of a key, a shorter one filled up with zeros. */
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

  boolean isDeletion() {
    return isDeletion;
  }

  /** The length of the value; 0 for a deletion. */
  int valueLength() {
    return bytes.length - keyLength;
  }

  /** Writes the key to a buffer that is cleared before. */
  ByteBuffer putKey(ByteBuffer to) {
    return to.clear().put(bytes, 0, keyLength).flip();
  }

  /** Writes the value to a buffer that is cleared before. */
  ByteBuffer putValue(ByteBuffer to) {
    return to.clear().put(bytes, keyLength, bytes.length - keyLength).flip();
  }

  /** About how much memory it takes. */
  int memoryBytes() {
    return OBJECT_BYTES + bytes.length;
  }

  /** The order of two keys. */
  static int compareKeys(IndexChange a, IndexChange b) {
    return a.prefix != b.prefix
        ? Long.compareUnsigned(a.prefix, b.prefix)
        : Arrays.compareUnsigned(a.bytes, 0, a.keyLength, b.bytes, 0, b.keyLength);
  }

  /**
   * Compares this key with another one.
   *
   * @param otherPrefix {@link #prefix} of the other key
   */
  int compareKeyTo(long otherPrefix, ByteBuffer other) {
    if (prefix != otherPrefix) {
      return Long.compareUnsigned(prefix, otherPrefix);
    }
    int otherLength = other.remaining();
    int common = Math.min(keyLength, otherLength);
    for (int i = Math.min(Long.BYTES, common); i < common; i++) {
      int difference = (bytes[i] & 0xff) - (other.get(other.position() + i) & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return keyLength - otherLength;
  }
}
