package gambit.app.client;

import java.net.URI;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a client connects to. Immutable.
 *
 * @param url a ws or wss URL
 * @param loginUrl the URL of the relay that logins name (NIP-42), if it is known under another one
 * @param tls decides which certificates are trusted; null for Java's default
 */
public record RelayPlace(URI url, String loginUrl, @Nullable SSLContext tls) {
  /** A relay with one URL. */
  public static RelayPlace of(URI url) {
    return new RelayPlace(url, url.toString(), null);
  }
}
