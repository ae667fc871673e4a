package gambit.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes. One thread. */
public final class ByteBuilder {
  private byte[] array;
  private int size;

  public ByteBuilder(int capacity) {
    array = new byte[Math.max(capacity, 16)];
  }

  public void add(int b) {
    if (size == array.length) {
      grow(1);
    }
    array[size++] = (byte) b;
  }

  public void add(int first, int second) {
    add(first);
    add(second);
  }

  public void add(byte[] bytes, int from, int to) {
    int length = to - from;
    if (size + length > array.length) {
      grow(length);
    }
    System.arraycopy(bytes, from, array, size, length);
    size += length;
  }

  /** Appends text that is known to be ASCII. */
  public void addAscii(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    add(bytes, 0, bytes.length);
  }

  /** Appends the lower-case hex digits of some bytes. */
  public void addHex(byte[] bytes) {
    if (size + 2 * bytes.length > array.length) {
      grow(2 * bytes.length);
    }
    Hex.put(array, size, bytes);
    size += 2 * bytes.length;
  }

  public int size() {
    return size;
  }

  /** The backing array, valid up to {@link #size()} and until the next call. */
  public byte[] array() {
    return array;
  }

  public byte[] toArray() {
    return Arrays.copyOf(array, size);
  }

  private void grow(int additional) {
    array = Arrays.copyOf(array, Math.max(array.length * 2, size + additional));
  }
}
