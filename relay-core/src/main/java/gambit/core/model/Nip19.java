package gambit.core.model;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** Names of keys and events in bech32 (NIP-19), also as {@code nostr:} links (NIP-21). Pure. */
public final class Nip19 {
  private static final String LINK = "nostr:";

  /** The type of the value in an nprofile or nevent that has the key or the id. */
  private static final int SPECIAL = 0;

  private static final int ID_BYTES = 32;

  private Nip19() {}

  /**
   * The key of an npub or nprofile, or the id of a note or nevent; empty if the text is anything
   * else. Relays, authors and kinds that it has besides are ignored.
   */
  public static Optional<Bytes32> parse(String text) {
    String name =
        text.toLowerCase(Locale.ROOT).startsWith(LINK) ? text.substring(LINK.length()) : text;
    return Bech32.decode(name)
        .flatMap(
            it ->
                switch (it.prefix()) {
                  case "npub" -> whole(it.bytes()).map(PubKey::new);
                  case "note" -> whole(it.bytes()).map(EventId::new);
                  case "nprofile" -> special(it.bytes()).map(PubKey::new);
                  case "nevent" -> special(it.bytes()).map(EventId::new);
                  default -> Optional.empty();
                });
  }

  public static String note(EventId id) {
    return Bech32.encode("note", id.bytes());
  }

  public static String npub(PubKey key) {
    return Bech32.encode("npub", key.bytes());
  }

  /** The key of an npub; empty if the text is not one. */
  public static Optional<PubKey> key(String npub) {
    return Bech32.decode("npub", npub).map(PubKey::new);
  }

  /** The key of an npub or of 64 lower-case hex digits; empty if the text is neither. */
  public static Optional<PubKey> keyOrHex(String key) {
    return Hex.isLowerCase(key, 64) ? Optional.of(PubKey.ofHex(key)) : key(key);
  }

  public static String nsec(byte[] secret) {
    return Bech32.encode("nsec", secret);
  }

  /** The 32 bytes of an nsec or of 64 lower-case hex digits, which may not be a valid key. */
  public static Optional<byte[]> secretOrHex(String secret) {
    return Hex.isLowerCase(secret, 64)
        ? Optional.of(HexFormat.of().parseHex(secret))
        : Bech32.decode("nsec", secret);
  }

  private static Optional<byte[]> whole(byte[] bytes) {
    return bytes.length == ID_BYTES ? Optional.of(bytes) : Optional.empty();
  }

  /** The first special value; empty if there is none, or if a value is cut off. */
  private static Optional<byte[]> special(byte[] values) {
    Optional<byte[]> found = Optional.empty();
    int at = 0;
    while (at < values.length) {
      int end = at + 1 < values.length ? at + 2 + (values[at + 1] & 0xff) : values.length + 1;
      if (end > values.length) {
        return Optional.empty();
      }
      if (values[at] == SPECIAL && end - at == 2 + ID_BYTES && found.isEmpty()) {
        found = Optional.of(Arrays.copyOfRange(values, at + 2, end));
      }
      at = end;
    }
    return found;
  }
}
