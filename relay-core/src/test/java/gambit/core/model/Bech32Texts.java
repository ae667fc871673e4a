package gambit.core.model;

/**
 * A bech32 encoder for bytes of any length, written from BIP-173, apart from the one under test.
 */
final class Bech32Texts {
  private static final String ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  private static final long[] GENERATOR = {
    0x3b6a57b2L, 0x26508e6dL, 0x1ea119faL, 0x3d4233ddL, 0x2a1462b3L
  };

  private Bech32Texts() {}

  static String encode(String prefix, byte[] bytes) {
    StringBuilder bits = new StringBuilder();
    for (byte each : bytes) {
      bits.append(Integer.toBinaryString(0x100 | each & 0xff).substring(1));
    }
    while (bits.length() % 5 != 0) {
      bits.append('0');
    }
    StringBuilder data = new StringBuilder();
    for (int at = 0; at < bits.length(); at += 5) {
      data.append(ALPHABET.charAt(Integer.parseInt(bits.substring(at, at + 5), 2)));
    }
    long sum = 1;
    for (char c : prefix.toCharArray()) {
      sum = next(sum, c >> 5);
    }
    sum = next(sum, 0);
    for (char c : prefix.toCharArray()) {
      sum = next(sum, c & 31);
    }
    for (char c : (data + "qqqqqq").toCharArray()) {
      sum = next(sum, ALPHABET.indexOf(c));
    }
    sum ^= 1;
    for (int i = 5; i >= 0; i--) {
      data.append(ALPHABET.charAt((int) (sum >> (5 * i) & 31)));
    }
    return prefix + "1" + data;
  }

  private static long next(long sum, int value) {
    long top = sum >> 25;
    long next = (sum & 0x1ffffff) << 5 ^ value;
    for (int i = 0; i < 5; i++) {
      next ^= (top >> i & 1) * GENERATOR[i];
    }
    return next;
  }
}
