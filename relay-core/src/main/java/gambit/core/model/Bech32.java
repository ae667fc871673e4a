package gambit.core.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Encodes 32 bytes in bech32 with a prefix of letters, and reads any bytes (BIP-173). Pure. */
final class Bech32 {
  private static final String ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  private static final int[] GENERATOR = {
    0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3
  };
  private static final int CHECKSUM_CHARS = 6;
  private static final int BYTES = 32;
  private static final int MAX_CHARS = 5000; // the longest text that is read (NIP-19)
  private static final int GROUPS = 52; // the groups of five bits that 32 bytes need

  private Bech32() {}

  /** The text of 32 bytes: the prefix, {@code 1}, 52 characters of data and 6 of checksum. */
  static String encode(String prefix, byte[] bytes) {
    int[] groups = new int[GROUPS];
    for (int bit = 0; bit < BYTES * 8; bit++) {
      int value = bytes[bit / 8] >> (7 - bit % 8) & 1;
      groups[bit / 5] |= value << (4 - bit % 5);
    }
    StringBuilder out = new StringBuilder(prefix).append('1');
    for (int group : groups) {
      out.append(ALPHABET.charAt(group));
    }
    int checksum = checksum(prefix, groups, new int[CHECKSUM_CHARS]) ^ 1;
    for (int i = CHECKSUM_CHARS - 1; i >= 0; i--) {
      out.append(ALPHABET.charAt(checksum >> (5 * i) & 31));
    }
    return out.toString();
  }

  @SuppressWarnings("ArrayRecordComponent") // nobody compares texts
  record Text(String prefix, byte[] bytes) {}

  /** The 32 bytes of a text with that prefix; empty if it is malformed or its checksum is wrong. */
  static Optional<byte[]> decode(String prefix, String text) {
    return decode(text)
        .filter(it -> it.prefix().equals(prefix) && it.bytes().length == BYTES)
        .map(Text::bytes);
  }

  /** Reads a text of any prefix and length; empty if it is malformed or its checksum is wrong. */
  static Optional<Text> decode(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    boolean isMixed = !text.equals(lower) && !text.equals(text.toUpperCase(Locale.ROOT));
    int separator = lower.lastIndexOf('1');
    int groupCount = lower.length() - separator - 1 - CHECKSUM_CHARS;
    if (isMixed || text.length() > MAX_CHARS || separator < 1 || groupCount < 0) {
      return Optional.empty();
    }
    String prefix = lower.substring(0, separator);
    int[] values = lower.substring(separator + 1).chars().map(ALPHABET::indexOf).toArray();
    int[] groups = Arrays.copyOf(values, groupCount);
    int[] check = Arrays.copyOfRange(values, groupCount, values.length);
    if (Arrays.stream(values).anyMatch(value -> value < 0)
        || checksum(prefix, groups, check) != 1) {
      return Optional.empty();
    }
    int padding = groupCount * 5 % 8;
    boolean isPadded =
        padding < 5 && (groupCount == 0 || (groups[groupCount - 1] & (1 << padding) - 1) == 0);
    return isPadded ? Optional.of(new Text(prefix, bytes(groups))) : Optional.empty();
  }

  private static byte[] bytes(int[] groups) {
    byte[] bytes = new byte[groups.length * 5 / 8];
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      int value = groups[bit / 5] >> (4 - bit % 5) & 1;
      bytes[bit / 8] |= (byte) (value << (7 - bit % 8));
    }
    return bytes;
  }

  private static int checksum(String prefix, int[] groups, int[] last) {
    int checksum = 1;
    for (int i = 0; i < prefix.length(); i++) {
      checksum = step(checksum, prefix.charAt(i) >> 5);
    }
    checksum = step(checksum, 0);
    for (int i = 0; i < prefix.length(); i++) {
      checksum = step(checksum, prefix.charAt(i) & 31);
    }
    for (int group : groups) {
      checksum = step(checksum, group);
    }
    for (int group : last) {
      checksum = step(checksum, group);
    }
    return checksum;
  }

  private static int step(int checksum, int value) {
    int top = checksum >>> 25;
    int next = ((checksum & 0x1ffffff) << 5) ^ value;
    for (int i = 0; i < GENERATOR.length; i++) {
      next ^= (top >> i & 1) == 0 ? 0 : GENERATOR[i];
    }
    return next;
  }
}
