package gambit.core.net;

/**
 * The settings of the relay's port that can change while it listens: the information document
 * (NIP-11) and others; compression applies to connections opened later. Immutable.
 */
public record PortSettings(String information, WebPage page, TransportSettings transport) {

  /**
   * Whether permessage-deflate (RFC 7692) is negotiated with clients that offer it, and the proxies
   * that may name the client for which they forward. Immutable.
   */
  public record TransportSettings(boolean compress, TrustedProxies proxies) {
    public static final TransportSettings DEFAULT =
        new TransportSettings(false, TrustedProxies.NONE);
  }
}
