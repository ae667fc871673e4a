package gambit.app.server.nats;

import gambit.app.server.config.SettingsReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The section {@code cluster}; a relay that is in none has no servers. Immutable. */
public record ClusterSettings(
    List<String> servers,
    String name,
    int replicas,
    Duration keep,
    Duration maxStaleness,
    Duration takeoverAfter,
    NatsAccess access) {
  private static final Set<String> SCHEMES = Set.of("nats", "tls");
  private static final Set<Integer> REPLICAS = Set.of(0, 1, 3, 5);

  /** Replicas of the log report to their leader once a second, and nodes ask it twice. */
  private static final Duration MIN_STALENESS = Duration.ofSeconds(3);

  private static final Duration MIN_KEEP = Duration.ofMinutes(10);

  public ClusterSettings {
    servers = List.copyOf(servers);
  }

  public static ClusterSettings read(SettingsReader cluster) {
    int replicas = cluster.count("replicas");
    if (!REPLICAS.contains(replicas)) {
      throw cluster.problem("replicas", "expected 0, 1, 3 or 5");
    }
    return new ClusterSettings(
        cluster.each("servers", ClusterSettings::server),
        cluster.parse("name", ClusterSettings::name),
        replicas,
        cluster.duration("keep", MIN_KEEP, Duration.ofDays(30)),
        cluster.duration("max_staleness", MIN_STALENESS, Duration.ofMinutes(5)),
        cluster.duration("takeover_after", Duration.ofMillis(500), Duration.ofMinutes(1)),
        NatsAccess.read(cluster));
  }

  private static String server(String text) {
    try {
      URI url = new URI(text.strip());
      if (SCHEMES.contains(String.valueOf(url.getScheme()))
          && url.getHost() != null
          && url.getRawUserInfo() == null
          && url.getRawPath().isEmpty()
          && url.getRawQuery() == null) {
        return url.toString();
      }
    } catch (URISyntaxException e) {
      // it is none
    }
    throw new IllegalArgumentException(
        "expected the URL of a NATS server without a user, as in nats://10.0.0.1:4222 or"
            + " tls://nats.example.com:4222");
  }

  private static String name(String text) {
    if (!text.matches("[A-Za-z0-9_-]{1,40}")) {
      throw new IllegalArgumentException(
          "expected a name of at most 40 letters, digits, hyphens and underscores");
    }
    return text;
  }

  public boolean isOn() {
    return !servers.isEmpty();
  }
}
