package gambit.core.model;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The URLs by which this relay goes, from its settings and never from a request. URLs are compared
 * by host, port and path; scheme, letter case and a trailing slash do not matter (NIP-42 leaves
 * normalization to the relay). Immutable.
 */
public record RelayUrls(List<String> list) {
  /**
   * Takes at least one ws or wss URL.
   *
   * @throws IllegalArgumentException when one of them is none
   */
  public RelayUrls {
    list = List.copyOf(list);
    if (list.isEmpty()) {
      throw new IllegalArgumentException("a relay has at least one URL");
    }
    for (String url : list) {
      if (normalized(url).isEmpty()) {
        throw new IllegalArgumentException(url + " is not a ws:// or wss:// URL");
      }
    }
  }

  /** The URL that the relay calls itself by. */
  public String main() {
    return list.get(0);
  }

  /** Tells whether the URL names this relay. */
  public boolean include(String url) {
    Optional<String> wanted = normalized(url);
    return wanted.isPresent() && list.stream().anyMatch(own -> normalized(own).equals(wanted));
  }

  private static Optional<String> normalized(String url) {
    try {
      URI uri = new URI(url.strip());
      String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
      if (uri.getHost() == null || !(scheme.equals("ws") || scheme.equals("wss"))) {
        return Optional.empty();
      }
      int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("ws") ? 80 : 443;
      boolean plain = port == 80 || port == 443;
      String path = uri.getPath() == null ? "" : uri.getPath().replaceAll("/+$", "");
      String host = uri.getHost().toLowerCase(Locale.ROOT);
      return Optional.of(host + (plain ? "" : ":" + port) + path);
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
