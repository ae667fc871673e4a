package gambit.app;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import gambit.chess.session.ChessSettings;
import gambit.core.session.Limits;
import java.util.List;
import java.util.Map;

/**
 * The program's settings: the defaults of {@code reference.conf} under what {@code --set} says. An
 * unknown key is an error. Immutable.
 *
 * @param storeBytes what the events in memory may take
 */
record Settings(
    String name,
    String description,
    List<String> urls,
    long storeBytes,
    Limits limits,
    ChessSettings chess) {

  /**
   * Reads the settings.
   *
   * @param urls the relay's own URLs; none leaves the setting as it is
   * @throws CannotStart when a key is unknown or a value is not what its default is
   */
  static Settings of(Map<String, String> overrides, List<String> urls) throws CannotStart {
    Config defaults = ConfigFactory.parseResources("reference.conf").resolve();
    Config config = defaults;
    for (Map.Entry<String, String> override : overrides.entrySet()) {
      String key = override.getKey();
      if (!isKnown(defaults, key)) {
        throw new CannotStart("--set " + key + ": there is no such setting.");
      }
      config = ConfigFactory.parseMap(Map.of(key, override.getValue())).withFallback(config);
    }
    if (!urls.isEmpty()) {
      config = ConfigFactory.parseMap(Map.of("relay.url", urls)).withFallback(config);
    }
    try {
      return read(config);
    } catch (ConfigException | IllegalArgumentException | ArithmeticException e) {
      throw new CannotStart("--set: " + e.getMessage());
    }
  }

  private static boolean isKnown(Config defaults, String key) {
    return defaults.entrySet().stream().anyMatch(entry -> entry.getKey().equals(key));
  }

  private static Settings read(Config config) {
    return new Settings(
        config.getString("relay.name"),
        config.getString("relay.description"),
        config.getStringList("relay.url"),
        Math.min(config.getBytes("store.max_bytes"), Runtime.getRuntime().maxMemory() / 2),
        limits(config.getConfig("limits")),
        new ChessSettings(
            config.getDuration("chess.max_clock_skew"), config.getDuration("chess.abandon_grace")));
  }

  private static Limits limits(Config config) {
    return new Limits(
        Math.toIntExact(config.getBytes("message_bytes")),
        config.getInt("event_tags"),
        config.getInt("subscriptions"),
        config.getInt("filters"),
        config.getInt("filter_values"),
        config.getInt("default_limit"),
        config.getInt("max_limit"),
        config.getInt("events_under_way"),
        Math.toIntExact(config.getBytes("outbox_bytes")),
        config.getBytes("all_outbox_bytes"),
        config.getInt("all_filter_values"),
        Math.toIntExact(config.getDuration("silence").toSeconds()),
        Math.toIntExact(config.getDuration("created_at_ahead").toSeconds()));
  }
}
