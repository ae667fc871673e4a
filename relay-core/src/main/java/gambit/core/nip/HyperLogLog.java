package gambit.core.nip;

import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An estimate of the number of distinct keys: 256 registers that clients merge with those of other
 * relays (NIP-45, "HyperLogLog"). One thread at a time.
 */
final class HyperLogLog {
  /** The start of an address: kind and key. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,5}:([0-9a-f]{64}):");

  private final int offset;
  private final byte[] registers = new byte[256];

  /**
   * Creates empty registers.
   *
   * @param offset index of the byte of a key that selects the register
   */
  HyperLogLog(int offset) {
    this.offset = offset;
  }

  /** Empty registers for the events whose tag has this value. */
  static HyperLogLog forTagValue(String tagValue) {
    return new HyperLogLog(Character.digit(hexOf(tagValue).charAt(32), 16) + 8);
  }

  /** An id or a key itself, the key of an address, or the hash of any other value. */
  private static String hexOf(String tagValue) {
    if (Hex.isLowerCase(tagValue, 64)) {
      return tagValue;
    }
    Matcher address = ADDRESS.matcher(tagValue);
    return address.lookingAt() ? address.group(1) : HexFormat.of().formatHex(Sha256.of(tagValue));
  }

  void add(PubKey key) {
    byte[] bytes = key.bytes();
    int zeros = 0;
    int at = offset + 1;
    while (at < bytes.length && bytes[at] == 0) {
      zeros += 8;
      at++;
    }
    if (at < bytes.length) {
      zeros += Integer.numberOfLeadingZeros(bytes[at] & 0xff) - 24;
    }
    int register = bytes[offset] & 0xff;
    registers[register] = (byte) Math.max(registers[register] & 0xff, zeros + 1);
  }

  String hex() {
    return HexFormat.of().formatHex(registers);
  }
}
