package gambit.app.server.reload;

import java.util.List;
import java.util.Set;

/**
 * The settings that take effect at the start only; all others change on reload. What is fixed: the
 * ports and URLs, the names of the certificate's files (their contents are read again), the set of
 * installed features, the kinds in the search index, the house player, the cluster, and the memory
 * of chess events that must not be repeated, which depends on their allowed age.
 */
public final class RestartSettings {
  private static final Set<String> KEYS =
      Set.of(
          "relay.domain",
          "relay.listen",
          "relay.port",
          "relay.url",
          "metrics.listen",
          "metrics.port",
          "metrics.token",
          "chess.max_clock_skew",
          "web.engine");

  private static final List<String> SECTIONS =
      List.of("tls.", "chess.house.", "search.", "cluster.");

  private static final String NIPS = "nips.";

  private static final Set<String> NIPS_THAT_CHANGE =
      Set.of("nips.challenge_on_connect", "nips.min_difficulty");

  private RestartSettings() {}

  public static boolean include(String key) {
    return KEYS.contains(key)
        || SECTIONS.stream().anyMatch(key::startsWith)
        || (key.startsWith(NIPS) && !NIPS_THAT_CHANGE.contains(key));
  }
}
