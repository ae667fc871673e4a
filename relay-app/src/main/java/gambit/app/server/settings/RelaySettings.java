package gambit.app.server.settings;

import gambit.app.server.config.SettingsReader;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The section {@code relay}. Immutable.
 *
 * @param listen the name or number of the address to listen on
 * @param port 0 for a free one
 * @param urls the relay's own URLs; empty for the loopback URLs
 * @param about the fields of the information document (NIP-11) that are settings
 */
public record RelaySettings(String listen, int port, List<String> urls, Map<String, String> about) {

  private static final List<String> TEXTS =
      List.of("name", "description", "banner", "icon", "contact", "software", "terms_of_service");

  static RelaySettings read(SettingsReader relay) {
    Map<String, String> about = new LinkedHashMap<>();
    for (String text : TEXTS) {
      about.put(text, relay.text(text));
    }
    about.put("pubkey", relay.pubkey("pubkey").map(PubKey::hex).orElse(""));
    return new RelaySettings(
        relay.text("listen"), relay.count("port", 0, 65_535), urls(relay), about);
  }

  private static List<String> urls(SettingsReader relay) {
    return relay.each(
        "url",
        url -> {
          new RelayUrls(List.of(url)); // checks it
          return url;
        });
  }

  /** The configured URLs of the relay, or by default its loopback URLs. */
  public RelayUrls ownUrls(boolean isEncrypted, int actualPort) {
    List<String> loopback =
        Stream.of("localhost", "127.0.0.1", "[::1]")
            .map(host -> (isEncrypted ? "wss://" : "ws://") + host + ":" + actualPort)
            .toList();
    return new RelayUrls(urls.isEmpty() ? loopback : urls);
  }
}
