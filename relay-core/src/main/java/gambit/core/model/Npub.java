package gambit.core.model;

import java.util.Optional;

/** Public keys in bech32 with the prefix {@code npub} (NIP-19). Pure. */
public final class Npub {
  private static final String PREFIX = "npub";

  private Npub() {}

  public static String of(PubKey key) {
    return Bech32.encode(PREFIX, key.bytes());
  }

  /** The key of an npub; empty if the text is not one. */
  public static Optional<PubKey> parse(String npub) {
    return Bech32.decode(PREFIX, npub).map(PubKey::new);
  }

  /** The key of an npub or of 64 lower-case hex digits; empty if the text is neither. */
  public static Optional<PubKey> parseOrHex(String key) {
    return Hex.isLowerCase(key, 64) ? Optional.of(PubKey.ofHex(key)) : parse(key);
  }
}
