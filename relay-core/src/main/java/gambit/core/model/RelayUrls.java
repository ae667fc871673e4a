package gambit.core.model;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The URLs of this relay, taken from its settings and never from a request. URLs are compared by
 * host, port and path; scheme, letter case and trailing slashes are ignored (NIP-42 leaves
 * normalization to the relay). Immutable.
 */
public final class RelayUrls {
  /** Longer texts are not accepted as URLs, which bounds the cost of a comparison. */
  private static final int MAX_URL_CHARS = 1024;

  private final List<String> urls;
  private final Set<String> normalized = new HashSet<>();

  /**
   * Creates the set from ws or wss URLs, at least one; the first is the primary one. Anything else
   * is an {@link IllegalArgumentException}.
   */
  public RelayUrls(List<String> urls) {
    if (urls.isEmpty()) {
      throw new IllegalArgumentException("a relay has at least one URL");
    }
    this.urls = List.copyOf(urls);
    for (String url : urls) {
      normalized.add(
          normalize(url)
              .orElseThrow(
                  () -> new IllegalArgumentException(url + " is not a ws:// or wss:// URL")));
    }
  }

  public String primary() {
    return urls.get(0);
  }

  public List<String> all() {
    return urls;
  }

  /** A text, if it is a ws or wss URL in characters that are safe in a log line. */
  public static Optional<String> printable(String url) {
    return parse(url).map(URI::toString).filter(text -> text.matches("[!-~]{1,300}"));
  }

  public boolean contains(String url) {
    return normalize(url).filter(normalized::contains).isPresent();
  }

  private static Optional<String> normalize(String url) {
    return parse(url)
        .map(
            uri -> {
              int port = uri.getPort();
              boolean isDefaultPort = port < 0 || port == 80 || port == 443;
              String host = uri.getHost().toLowerCase(Locale.ROOT);
              return host
                  + (isDefaultPort ? "" : ":" + port)
                  + uri.getPath().replaceFirst("/+$", "");
            });
  }

  private static Optional<URI> parse(String url) {
    if (url.length() > MAX_URL_CHARS) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(url.strip());
      String scheme = uri.getScheme();
      return uri.getHost() != null
              && ("ws".equalsIgnoreCase(scheme) || "wss".equalsIgnoreCase(scheme))
          ? Optional.of(uri)
          : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
