package gambit.core.model;

/** The BIP-340 x-only public key of an author. Immutable. */
public final class PubKey extends Bytes32 {
  public PubKey(byte[] bytes) {
    super(bytes);
  }

  PubKey(long a, long b, long c, long d) {
    super(a, b, c, d);
  }

  /**
   * Reads 64 hex digits.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static PubKey ofHex(CharSequence hex) {
    return new PubKey(parse(hex));
  }
}
