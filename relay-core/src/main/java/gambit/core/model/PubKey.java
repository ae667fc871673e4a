package gambit.core.model;

/** The BIP-340 x-only public key of an author. Immutable. */
public final class PubKey extends Bytes32 {
  public PubKey(byte[] bytes) {
    super(bytes);
  }

  private PubKey(byte[] text, int at) {
    super(text, at);
  }

  PubKey(long a, long b, long c, long d) {
    super(a, b, c, d);
  }

  /** The key of 64 digits at a position of ASCII text, which are lower-case hex. */
  public static PubKey ofDigits(byte[] text, int at) {
    return new PubKey(text, at);
  }

  /** Reads 64 hex digits; anything else is an {@link IllegalArgumentException}. */
  public static PubKey ofHex(CharSequence hex) {
    return new PubKey(parse(hex));
  }
}
