package gambit.app.tool.client;

import gambit.core.model.RelayUrls;
import java.net.URI;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a client connects to. Immutable.
 *
 * @param url a ws or wss URL
 * @param loginUrl the URL that logins (NIP-42) and chess events name: never one that the relay
 *     states about itself, since a relay in the middle would state that of the one behind it
 * @param tls decides which certificates are trusted; null for Java's default
 * @param headers further headers of the WebSocket's handshake
 */
public record RelayPlace(
    URI url, String loginUrl, @Nullable SSLContext tls, Map<String, String> headers) {
  public RelayPlace {
    headers = Map.copyOf(headers);
  }

  public RelayPlace(URI url, String loginUrl, @Nullable SSLContext tls) {
    this(url, loginUrl, tls, Map.of());
  }

  /**
   * A relay under the URL that the user has given. Events name it without user information and
   * query, which may be secret.
   */
  public static RelayPlace of(URI url) {
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    String named = url.getScheme() + "://" + url.getHost() + port + url.getRawPath();
    return new RelayPlace(url, named, null);
  }

  public static boolean isRelayUrl(URI url) {
    try {
      new RelayUrls(List.of(url.toString()));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  public RelayPlace withHeaders(Map<String, String> others) {
    return new RelayPlace(url, loginUrl, tls, others);
  }

  /** Without the headers, which may have a secret. */
  @Override
  public String toString() {
    return url.toString();
  }
}
