package gambit.core.model;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * An identifier of 32 bytes, held as four big-endian longs. The order is that of unsigned bytes,
 * which is also the order of the hex digits. Immutable.
 */
public abstract sealed class Bytes32 implements Comparable<Bytes32> permits EventId, PubKey {
  public static final int DIGITS = 64;

  private static final long[] HASH_FACTORS =
      new SecureRandom().longs(4).map(number -> number | 1).toArray();

  private final long a;
  private final long b;
  private final long c;
  private final long d;

  Bytes32(byte[] bytes) {
    if (bytes.length != 32) {
      throw new IllegalArgumentException("32 bytes are needed, not " + bytes.length);
    }
    this.a = (long) Hex.LONGS.get(bytes, 0);
    this.b = (long) Hex.LONGS.get(bytes, 8);
    this.c = (long) Hex.LONGS.get(bytes, 16);
    this.d = (long) Hex.LONGS.get(bytes, 24);
  }

  /** Creates it from 64 lower-case hex digits at a position of ASCII text. */
  Bytes32(byte[] text, int at) {
    this.a = Hex.longValue(text, at);
    this.b = Hex.longValue(text, at + 16);
    this.c = Hex.longValue(text, at + 32);
    this.d = Hex.longValue(text, at + 48);
  }

  Bytes32(long a, long b, long c, long d) {
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
  }

  public final long prefix() {
    return a;
  }

  /** One of the four parts of eight bytes, big-endian. */
  public final long word(int index) {
    return switch (index) {
      case 0 -> a;
      case 1 -> b;
      case 2 -> c;
      case 3 -> d;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  /** A new array of the 32 bytes. */
  public final byte[] bytes() {
    byte[] out = new byte[32];
    Hex.LONGS.set(out, 0, a);
    Hex.LONGS.set(out, 8, b);
    Hex.LONGS.set(out, 16, c);
    Hex.LONGS.set(out, 24, d);
    return out;
  }

  public final String hex() {
    byte[] digits = new byte[DIGITS];
    putHex(digits, 0);
    return new String(digits, StandardCharsets.ISO_8859_1);
  }

  /** Writes the 64 lower-case hex digits to a position of an array. */
  final void putHex(byte[] out, int at) {
    Hex.putLong(out, at, a);
    Hex.putLong(out, at + 16, b);
    Hex.putLong(out, at + 32, c);
    Hex.putLong(out, at + 48, d);
  }

  @Override
  public final int compareTo(Bytes32 o) {
    int order = Long.compareUnsigned(a, o.a);
    if (order == 0) {
      order = Long.compareUnsigned(b, o.b);
    }
    if (order == 0) {
      order = Long.compareUnsigned(c, o.c);
    }
    return order == 0 ? Long.compareUnsigned(d, o.d) : order;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof Bytes32 o
        && o.getClass() == getClass()
        && a == o.a
        && b == o.b
        && c == o.c
        && d == o.d;
  }

  /** Its factors are random in every process, so that clients cannot choose colliding values. */
  @Override
  public final int hashCode() {
    return Long.hashCode(
        a * HASH_FACTORS[0] + b * HASH_FACTORS[1] + c * HASH_FACTORS[2] + d * HASH_FACTORS[3]);
  }

  @Override
  public final String toString() {
    return hex();
  }
}
