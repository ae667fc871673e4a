package gambit.core.model;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/** A growing array of bytes. One thread. */
public final class ByteBuilder {
  private byte[] array;
  private int size;

  public ByteBuilder(int capacity) {
    array = new byte[Math.max(capacity, 8)];
  }

  public void add(int b) {
    makeRoom(1);
    array[size++] = (byte) b;
  }

  public void add(int first, int second) {
    add(first);
    add(second);
  }

  void add(byte[] bytes) {
    add(bytes, 0, bytes.length);
  }

  public void add(byte[] bytes, int from, int to) {
    int length = to - from;
    makeRoom(length);
    System.arraycopy(bytes, from, array, size, length);
    size += length;
  }

  /** Appends text that is known to be ASCII. */
  public void addAscii(String text) {
    addAscii(text, 0, text.length());
  }

  /** Appends the text between two positions, which is known to be ASCII. */
  @SuppressWarnings("deprecation") // exact for ASCII, and the fastest copy
  void addAscii(String text, int from, int to) {
    makeRoom(to - from);
    text.getBytes(from, to, array, size);
    size += to - from;
  }

  void add(ByteBuffer bytes, int from, int length) {
    Objects.checkFromIndexSize(from, length, bytes.limit());
    makeRoom(length);
    bytes.get(from, array, size, length);
    size += length;
  }

  /** Appends a number in decimal. */
  public void addNumber(long number) {
    makeRoom(decimalLength(number));
    size += decimalLength(number);
    int to = size;
    long left = number;
    do {
      array[--to] = (byte) ('0' + Math.abs(left % 10));
      left /= 10;
    } while (left != 0);
    if (number < 0) {
      array[--to] = '-';
    }
  }

  /** The number of characters that a number has in decimal. */
  public static int decimalLength(long number) {
    int length = number < 0 ? 2 : 1;
    for (long left = number / 10; left != 0; left /= 10) {
      length++;
    }
    return length;
  }

  public void addHex(byte[] bytes) {
    makeRoom(2 * bytes.length);
    Hex.put(array, size, bytes);
    size += 2 * bytes.length;
  }

  public void addHex(Bytes32 bytes) {
    makeRoom(Bytes32.DIGITS);
    bytes.putHex(array, size);
    size += Bytes32.DIGITS;
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

  /** The bytes, without a copy if they fill the array; the builder must not be used afterwards. */
  public byte[] finish() {
    return size == array.length ? array : toArray();
  }

  private void makeRoom(int additional) {
    if (size + additional > array.length) {
      array = Arrays.copyOf(array, Math.max(array.length * 2, size + additional));
    }
  }
}
