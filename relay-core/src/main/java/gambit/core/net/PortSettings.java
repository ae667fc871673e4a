package gambit.core.net;

/**
 * The settings of the relay's port that can change while it listens. Immutable.
 *
 * @param information the relay information document (NIP-11)
 * @param page what browsers get
 * @param transport how bytes are exchanged; compression applies to connections opened later
 */
public record PortSettings(String information, WebPage page, TransportSettings transport) {

  /**
   * The operator's settings of the transport. Immutable.
   *
   * @param compress whether permessage-deflate (RFC 7692) is negotiated with clients that offer it
   * @param proxies the proxies that may name the client for which they forward
   */
  public record TransportSettings(boolean compress, TrustedProxies proxies) {
    public static final TransportSettings DEFAULT =
        new TransportSettings(false, TrustedProxies.NONE);
  }
}
