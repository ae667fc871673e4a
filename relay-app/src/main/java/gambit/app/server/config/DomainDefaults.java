package gambit.app.server.config;

import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.net.IDN;
import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** {@code relay.domain}, and the values that other settings have by default where it is set. */
public final class DomainDefaults {
  private static final String DOMAIN = "relay.domain";

  /** Labels of letters, digits and hyphens, at least two; the last one is no number. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+(?=[a-z])[a-z0-9-]{0,62}[a-z0-9]");

  private DomainDefaults() {}

  /** The layer that follows from the given layers; empty if none has a domain. */
  static Map<String, ConfigValue> of(List<Map<String, ConfigValue>> given) {
    String domain = "";
    for (Map<String, ConfigValue> layer : given) {
      ConfigValue value = layer.get(DOMAIN);
      domain = value == null ? domain : String.valueOf(value.unwrapped());
    }
    if (domain.isEmpty()) {
      return Map.of();
    }
    return ascii(domain)
        .map(
            name ->
                Map.<String, ConfigValue>of(
                    "relay.listen", value(hasIpv6() ? "::" : "0.0.0.0"),
                    "relay.port", value(443),
                    "relay.url", value(List.of("wss://" + name))))
        .orElse(Map.of());
  }

  /** A name as the DNS has it: in lower case, in ASCII; empty if it is none, or has one label. */
  public static Optional<String> ascii(String name) {
    try {
      return Optional.of(IDN.toASCII(name).toLowerCase(Locale.ROOT))
          .filter(NAME.asMatchPredicate());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static ConfigValue value(Object value) {
    return ConfigValueFactory.fromAnyRef(value, DOMAIN + "=");
  }

  private static boolean hasIpv6() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .anyMatch(Inet6Address.class::isInstance);
    } catch (SocketException e) {
      return false;
    }
  }
}
