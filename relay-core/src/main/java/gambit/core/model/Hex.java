package gambit.core.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Strict lower-case hex, as NIP-01 has it: eight digits at once, each in one byte of a long. */
public final class Hex {
  static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

  /** The eight bytes at a position of an array, big-endian. */
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private static final int GROUP_DIGITS = 8;
  private static final long ONES = 0x0101010101010101L;

  /** What the digit of ten has more than ten more than the digit of zero. */
  private static final int LETTER_GAP = 'a' - '0' - 10;

  private Hex() {}

  /** Whether the text consists of exactly that number of lower-case hex digits. */
  public static boolean isLowerCase(CharSequence text, int digits) {
    if (text.length() != digits) {
      return false;
    }
    for (int i = 0; i < digits; i++) {
      if (lowerCaseValue(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether a number of bytes of ASCII text, a multiple of eight, are lower-case hex digits. */
  public static boolean isLowerCase(byte[] text, int from, int digits) {
    long all = 0; // negative if any value is
    for (int at = from; at < from + digits; at += GROUP_DIGITS) {
      all |= group(text, at);
    }
    return all >= 0;
  }

  /** The value of a lower-case hex digit, or -1. */
  public static int lowerCaseValue(int c) {
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= '0' && c <= '9' ? c - '0' : -1;
  }

  /** Decodes a multiple of eight digits of ASCII text; null if any is no lower-case hex digit. */
  public static byte @Nullable [] bytes(byte[] text, int from, int digits) {
    byte[] bytes = new byte[digits / 2];
    long all = 0; // negative if any value is
    for (int i = 0; i < digits / GROUP_DIGITS; i++) {
      long value = group(text, from + i * GROUP_DIGITS);
      all |= value;
      INTS.set(bytes, i * Integer.BYTES, (int) value);
    }
    return all < 0 ? null : bytes;
  }

  /** The value of the eight digits at a position of ASCII text, or -1 if any is no digit. */
  static long group(byte[] text, int at) {
    long digits = (long) LONGS.get(text, at);
    long letters = digits >>> 6 & ONES;
    long halves = (digits & ONES * 0x0f) + letters * 9;
    if ((halves & 0xf0f0f0f0f0f0f0f0L) != 0 || digits(halves) != digits) {
      return -1;
    }
    long pairs = (halves | halves >>> 4) & 0x00ff00ff00ff00ffL;
    long fours = (pairs | pairs >>> 8) & 0x0000ffff0000ffffL;
    return (fours | fours >>> 16) & 0xffffffffL;
  }

  /** The value of the sixteen lower-case hex digits at a position of ASCII text. */
  static long longValue(byte[] text, int at) {
    return group(text, at) << 32 | group(text, at + GROUP_DIGITS);
  }

  /** The digits of eight values from 0 to 15, each in its byte. */
  private static long digits(long halves) {
    long letters = (halves + ONES * 6) >>> 4 & ONES;
    return halves + ONES * '0' + letters * LETTER_GAP;
  }

  /** Writes the sixteen digits of eight bytes to a position of an array. */
  static void putLong(byte[] out, int at, long value) {
    LONGS.set(out, at, digits(halves(value >>> 32)));
    LONGS.set(out, at + GROUP_DIGITS, digits(halves(value & 0xffffffffL)));
  }

  /** The eight halves of the lower four bytes, each in its byte. */
  private static long halves(long fourBytes) {
    long fours = (fourBytes | fourBytes << 16) & 0x0000ffff0000ffffL;
    long pairs = (fours | fours << 8) & 0x00ff00ff00ff00ffL;
    return (pairs | pairs << 4) & ONES * 0x0f;
  }

  /** Writes the digits of a multiple of eight bytes to a position of an array. */
  static void put(byte[] out, int at, byte[] bytes) {
    for (int i = 0; i < bytes.length; i += Long.BYTES) {
      putLong(out, at + 2 * i, (long) LONGS.get(bytes, i));
    }
  }
}
