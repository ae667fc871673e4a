package gambit.chess.rating;

import gambit.core.model.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A chain of lots: each value is the hash of the one before, from a secret on. The last value is
 * published, and then one value after the other is revealed, from the end to the secret. Immutable;
 * 128 KB of memory for a chain of full length.
 */
public final class LotChain {
  public static final int LENGTH = 4096;

  private static final int BYTES = 32;

  private final byte[] values; // the secret first

  /** Computes the chain of a secret of 32 bytes, in less than some milliseconds. */
  public LotChain(byte[] secret, int length) {
    values = Arrays.copyOf(secret, (length + 1) * BYTES);
    MessageDigest sha256 = Sha256.digest();
    for (int at = BYTES; at < values.length; at += BYTES) {
      sha256.update(values, at - BYTES, BYTES);
      System.arraycopy(sha256.digest(), 0, values, at, BYTES);
    }
  }

  /** The value of a position: 0 has the published one, and the last position has the secret. */
  public byte[] value(int position) {
    int at = values.length - (position + 1) * BYTES;
    return Arrays.copyOfRange(values, at, at + BYTES);
  }

  /** The published value in hex. */
  public String end() {
    return HexFormat.of().formatHex(value(0));
  }

  /** What binds a chain to the secret of its predecessor, in hex: the hash of secret and end. */
  public static String after(byte[] previousSecret, byte[] end) {
    MessageDigest sha256 = Sha256.digest();
    sha256.update(previousSecret);
    sha256.update(end);
    return HexFormat.of().formatHex(sha256.digest());
  }

  public static String hashed(byte[] value, int times) {
    MessageDigest sha256 = Sha256.digest();
    byte[] hash = value;
    for (int i = 0; i < times; i++) {
      hash = sha256.digest(hash);
    }
    return HexFormat.of().formatHex(hash);
  }
}
