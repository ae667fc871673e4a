package gambit.core.net;

/**
 * The operator's settings of the transport. Immutable.
 *
 * @param compress whether permessage-deflate (RFC 7692) is negotiated with clients that offer it
 * @param proxies the proxies that may name the client for which they forward
 */
public record TransportSettings(boolean compress, TrustedProxies proxies) {
  /** No compression, no proxies. */
  public static final TransportSettings DEFAULT = new TransportSettings(false, TrustedProxies.NONE);
}
