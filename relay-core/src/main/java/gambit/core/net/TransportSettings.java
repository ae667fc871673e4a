package gambit.core.net;

/**
 * What an operator decides about the wire. Immutable.
 *
 * @param compress whether clients that ask for it are sent compressed messages, and may send them
 *     (permessage-deflate, RFC 7692)
 * @param proxies whose word is taken for where a client comes from
 */
public record TransportSettings(boolean compress, TrustedProxies proxies) {
  /** Nothing compressed, nobody in front. */
  public static final TransportSettings DEFAULT = new TransportSettings(false, TrustedProxies.NONE);
}
