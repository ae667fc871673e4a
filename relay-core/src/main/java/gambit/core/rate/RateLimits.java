package gambit.core.rate;

import java.util.Map;

/**
 * The rate limits of one client by its address and by public key: for events the author, after the
 * signature is verified; otherwise the keys with which the client has logged in (NIP-42). Verbs
 * without a rate are unlimited. Immutable.
 */
public record RateLimits(Map<Verb, Rate> byAddress, Map<Verb, Rate> byPubkey) {
  public static final RateLimits NONE = new RateLimits(Map.of(), Map.of());

  public enum Verb {
    /** A request over HTTP, the upgrade to a WebSocket included. */
    HTTP,
    EVENT,
    REQ,
    /** Never limited, because it only ends a subscription. */
    CLOSE,
    COUNT,
    AUTH,
    /** Anything that is not a readable message. */
    INVALID
  }

  public RateLimits {
    byAddress = Map.copyOf(byAddress);
    byPubkey = Map.copyOf(byPubkey);
  }
}
