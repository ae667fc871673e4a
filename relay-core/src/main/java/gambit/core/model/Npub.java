package gambit.core.model;

/** Encodes public keys in bech32 with the prefix {@code npub} (NIP-19, BIP-173). */
public final class Npub {
  private static final String ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  private static final String PREFIX = "npub";
  private static final int[] GENERATOR = {
    0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3
  };
  private static final int CHECKSUM_CHARS = 6;

  private Npub() {}

  /** The npub of a key: 63 characters. */
  public static String of(PubKey key) {
    StringBuilder out = new StringBuilder(63).append(PREFIX).append('1');
    int checksum = 1;
    for (int i = 0; i < PREFIX.length(); i++) {
      checksum = polymodStep(checksum, PREFIX.charAt(i) >> 5);
    }
    checksum = polymodStep(checksum, 0);
    for (int i = 0; i < PREFIX.length(); i++) {
      checksum = polymodStep(checksum, PREFIX.charAt(i) & 31);
    }
    int bits = 0;
    int held = 0;
    for (byte b : key.bytes()) {
      held = held << 8 | (b & 0xff);
      for (bits += 8; bits >= 5; bits -= 5) {
        checksum = append(out, checksum, held >> (bits - 5) & 31);
      }
    }
    checksum = append(out, checksum, held << (5 - bits) & 31);
    for (int i = 0; i < CHECKSUM_CHARS; i++) {
      checksum = polymodStep(checksum, 0);
    }
    checksum ^= 1;
    for (int i = 0; i < CHECKSUM_CHARS; i++) {
      out.append(ALPHABET.charAt((checksum >> (5 * (CHECKSUM_CHARS - 1 - i))) & 31));
    }
    return out.toString();
  }

  private static int append(StringBuilder out, int checksum, int value) {
    out.append(ALPHABET.charAt(value));
    return polymodStep(checksum, value);
  }

  private static int polymodStep(int checksum, int value) {
    int top = checksum >>> 25;
    int next = ((checksum & 0x1ffffff) << 5) ^ value;
    for (int i = 0; i < GENERATOR.length; i++) {
      next ^= (top >> i & 1) == 0 ? 0 : GENERATOR[i];
    }
    return next;
  }
}
