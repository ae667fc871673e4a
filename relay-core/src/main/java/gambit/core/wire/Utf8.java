package gambit.core.wire;

import gambit.core.model.ByteBuilder;
import java.util.Arrays;

/** Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
  private Utf8() {}

  /** The length of the multi-byte sequence at {@code at}, or 0 if it is invalid or incomplete. */
  static int sequenceLength(byte[] in, int at, int end) {
    int first = in[at] & 0xff;
    int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + length > end) {
      return 0;
    }
    int second = in[at + 1] & 0xff;
    int lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    int highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((in[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  /** Whether the first {@code end} bytes are UTF-8. */
  public static boolean isValid(byte[] in, int end) {
    return validPrefixEnd(in, 0, end) == end;
  }

  /**
   * The end of the valid UTF-8 from the start of a character, if more bytes may follow: the start
   * of an incomplete last character, or {@code end}; -1 if no further bytes can make it valid.
   */
  public static int validPrefixEnd(byte[] in, int from, int end) {
    int at = from;
    while (at < end) {
      int length = in[at] >= 0 ? 1 : sequenceLength(in, at, end);
      if (length == 0) {
        return isTruncatedCharacter(in, at, end) ? at : -1;
      }
      at += length;
    }
    return at;
  }

  /** Whether the last bytes are the start of a valid character. */
  private static boolean isTruncatedCharacter(byte[] in, int at, int end) {
    byte[] whole = Arrays.copyOf(Arrays.copyOfRange(in, at, Math.min(end, at + 4)), 4);
    int known = end - at;
    if (known >= 4) {
      return false;
    }
    for (int next : new int[] {0x80, 0xa0}) { // each first byte accepts one of them
      Arrays.fill(whole, known, 4, (byte) 0x80);
      whole[known] = (byte) next;
      if (sequenceLength(whole, 0, 4) > known) {
        return true;
      }
    }
    return false;
  }

  /** Appends a code point above U+007F that is not a surrogate. */
  static void append(ByteBuilder out, int codePoint) {
    if (codePoint < 0x800) {
      out.add(0xc0 | codePoint >> 6, 0x80 | (codePoint & 0x3f));
    } else if (codePoint < 0x10000) {
      out.add(0xe0 | codePoint >> 12);
      out.add(0x80 | (codePoint >> 6 & 0x3f), 0x80 | (codePoint & 0x3f));
    } else {
      out.add(0xf0 | codePoint >> 18, 0x80 | (codePoint >> 12 & 0x3f));
      out.add(0x80 | (codePoint >> 6 & 0x3f), 0x80 | (codePoint & 0x3f));
    }
  }
}
