package gambit.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Strict lower-case hex, the only hex of NIP-01. */
public final class Hex {
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

  /** The values of all bytes as characters, -1 for those that are no digits. */
  private static final byte[] VALUES = new byte[256];

  static {
    Arrays.fill(VALUES, (byte) -1);
    for (int i = 0; i < DIGITS.length; i++) {
      VALUES[DIGITS[i]] = (byte) i;
    }
  }

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

  /** The value of a lower-case hex digit, or -1. */
  public static int lowerCaseValue(int c) {
    return c >= 0 && c < VALUES.length ? VALUES[c] : -1;
  }

  /** Decodes ASCII text; null if it does not consist of lower-case hex digits. */
  public static byte @Nullable [] bytes(byte[] text, int from, int digits) {
    byte[] bytes = new byte[digits / 2];
    int all = 0; // negative if any value is
    for (int i = 0, at = from; i < bytes.length; i++, at += 2) {
      int value = VALUES[text[at] & 0xff] << 4 | VALUES[text[at + 1] & 0xff];
      all |= value;
      bytes[i] = (byte) value;
    }
    return all < 0 ? null : bytes;
  }

  /** Writes the two digits of a byte to a position of an array. */
  static void put(byte[] out, int at, int value) {
    out[at] = DIGITS[(value >> 4) & 15];
    out[at + 1] = DIGITS[value & 15];
  }
}
