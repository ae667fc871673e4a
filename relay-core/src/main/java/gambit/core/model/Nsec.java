package gambit.core.model;

import java.util.Optional;

/** Secret keys in bech32 with the prefix {@code nsec} (NIP-19). Pure. */
public final class Nsec {
  private static final String PREFIX = "nsec";

  private Nsec() {}

  public static String of(byte[] secret) {
    return Bech32.encode(PREFIX, secret);
  }

  /** The 32 bytes of an nsec, which may not be a valid key; empty if the text is not one. */
  public static Optional<byte[]> parse(String nsec) {
    return Bech32.decode(PREFIX, nsec);
  }
}
