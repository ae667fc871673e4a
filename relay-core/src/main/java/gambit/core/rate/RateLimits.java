package gambit.core.rate;

import java.util.Map;

/**
 * How much one client may ask for, by its address and by public key. What is not named is
 * unlimited. Immutable.
 *
 * @param byAddress what one address may do
 * @param byPubkey what one public key may do: for events their author, once the signature is
 *     checked; for the rest the keys by which the client has logged in (NIP-42)
 */
public record RateLimits(Map<Verb, Rate> byAddress, Map<Verb, Rate> byPubkey) {
  public static final RateLimits NONE = new RateLimits(Map.of(), Map.of());

  /** What clients do. */
  public enum Verb {
    /** A request over HTTP, the upgrade to a WebSocket included. */
    HTTP,
    EVENT,
    REQ,
    /** Never limited: giving something up is always welcome. */
    CLOSE,
    COUNT,
    AUTH,
    /** What is no message at all, or one that cannot be read. */
    INVALID
  }

  public RateLimits {
    byAddress = Map.copyOf(byAddress);
    byPubkey = Map.copyOf(byPubkey);
  }
}
