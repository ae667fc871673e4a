package gambit.core.model;

import java.util.HexFormat;

/** The BIP-340 x-only public key of an author. Immutable. */
public final class PubKey extends Bytes32 {
  public PubKey(byte[] bytes) {
    super(bytes);
  }

  /** The key of 64 digits at a position of ASCII text, which are lower-case hex. */
  public PubKey(byte[] text, int at) {
    super(text, at);
  }

  /** The key of four parts of eight bytes, big-endian, as {@link #word} returns them. */
  public PubKey(long a, long b, long c, long d) {
    super(a, b, c, d);
  }

  /** Reads 64 hex digits; anything else is an {@link IllegalArgumentException}. */
  public static PubKey ofHex(CharSequence hex) {
    return new PubKey(HexFormat.of().parseHex(hex));
  }
}
