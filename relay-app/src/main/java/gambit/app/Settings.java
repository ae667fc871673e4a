package gambit.app;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueType;
import gambit.app.bot.BotSettings;
import gambit.chess.engine.Level;
import gambit.chess.game.TimeControl;
import gambit.chess.session.runtime.ChessSettings;
import gambit.chess.session.runtime.SimultaneousGames;
import gambit.core.ingest.Retention;
import gambit.core.limit.Limit;
import gambit.core.limit.Limits;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.net.TransportSettings;
import gambit.core.net.TrustedProxies;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.StandardNips;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The program's settings: the defaults of {@code reference.conf}, overridden by {@code --set}. An
 * unknown key is an error. Immutable.
 *
 * @param about the fields of the information document (NIP-11) that are settings
 * @param minFreeBytes with less free disk space than this, events of clients are refused
 * @param isWebEnabled whether browsers get the web page at the relay's URL
 */
record Settings(
    Map<String, String> about,
    List<String> urls,
    long minFreeBytes,
    Retention retention,
    Limits limits,
    RateLimits rates,
    TransportSettings transport,
    boolean isWebEnabled,
    StandardNips nips,
    AdmissionPolicy admission,
    ChessSettings chess,
    HouseSettings house) {

  /** The keys of {@link #about}. */
  private static final List<String> INFORMATION_FIELDS =
      List.of(
          "name",
          "description",
          "banner",
          "icon",
          "pubkey",
          "contact",
          "software",
          "terms_of_service");

  /**
   * Reads the settings.
   *
   * @param urls the relay's own URLs; an empty list leaves the setting unchanged
   * @throws StartFailure when a key is unknown, or a value is invalid
   */
  static Settings of(Map<String, String> overrides, List<String> urls) throws StartFailure {
    Config defaults = ConfigFactory.parseResources("reference.conf").resolve();
    Config config = defaults;
    for (Map.Entry<String, String> override : overrides.entrySet()) {
      config = override(defaults, override.getKey(), override.getValue()).withFallback(config);
    }
    if (!urls.isEmpty()) {
      config = ConfigFactory.parseMap(Map.of("relay.url", urls)).withFallback(config);
    }
    try {
      return read(config);
    } catch (IllegalArgumentException e) {
      throw new StartFailure("--set: " + e.getMessage() + ".");
    }
  }

  /** Checks one override alone; conflicts between settings are found once all are applied. */
  private static Config override(Config defaults, String key, String value) throws StartFailure {
    if (!isKnown(defaults, key)) {
      throw new StartFailure("--set " + key + ": no such setting.");
    }
    boolean isList = defaults.getValue(key).valueType() == ConfigValueType.LIST;
    List<String> values = value.isBlank() ? List.of() : List.of(value.split(","));
    Config changed = ConfigFactory.parseMap(Map.of(key, isList ? values : value));
    try {
      read(changed.withFallback(defaults));
    } catch (ConfigException | ArithmeticException e) {
      throw new StartFailure("--set " + key + ": " + value + " is not a valid value.");
    } catch (IllegalArgumentException e) {
      return changed; // conflicts with a default that another override may change
    }
    return changed;
  }

  private static boolean isKnown(Config defaults, String key) {
    return defaults.entrySet().stream().anyMatch(entry -> entry.getKey().equals(key));
  }

  private static Settings read(Config config) {
    return new Settings(
        about(config.getConfig("relay")),
        config.getStringList("relay.url"),
        config.getBytes("store.min_free"),
        retention(config.getConfig("store")),
        limits(config.getConfig("limits")),
        rates(config.getConfig("rates")),
        transport(config.getConfig("transport")),
        config.getBoolean("web.enabled"),
        nips(config.getConfig("nips")),
        admission(config.getConfig("admission")),
        chess(config.getConfig("chess")),
        house(config.getConfig("chess.house")));
  }

  private static ChessSettings chess(Config config) {
    String time = config.getString("default_time");
    return new ChessSettings(
        config.getDuration("max_clock_skew"),
        config.getDuration("abandon_grace"),
        config.getDuration("first_move_limit"),
        config.getDuration("lag_allowance"),
        TimeControl.parse(time)
            .orElseThrow(
                () ->
                    new ConfigException.BadValue(
                        "default_time", "not a time control like 300, 300+3, 1/600 or -")),
        config.getBoolean("require_auth"),
        SimultaneousGames.NONE);
  }

  private static HouseSettings house(Config config) {
    return new HouseSettings(
        HouseSettings.Enabled.parse(config.getString("enabled")),
        new BotSettings(
            BotSettings.command(config.getString("engine")),
            count(config, "threads"),
            count(config, "max_games"),
            config.getDuration("move_time"),
            Level.THREE));
  }

  private static Map<String, String> about(Config config) {
    String pubkey = config.getString("pubkey");
    if (!pubkey.isEmpty() && !Hex.isLowerCase(pubkey, 64)) {
      throw new ConfigException.BadValue("pubkey", "not 64 lower-case hex digits");
    }
    Map<String, String> about = new LinkedHashMap<>();
    INFORMATION_FIELDS.forEach(field -> about.put(field, config.getString(field)));
    return about;
  }

  private static Retention retention(Config config) {
    return new Retention(
        config.getStringList("retention").stream().map(Retention.Rule::parse).toList(),
        config.getBytes("max_bytes"));
  }

  private static StandardNips nips(Config config) {
    return new StandardNips(
        StandardNips.SWITCHES.stream()
            .filter(nip -> !config.getBoolean(nip.toString()))
            .collect(Collectors.toSet()),
        config.getBoolean("challenge_on_connect"),
        count(config, "min_difficulty"));
  }

  private static AdmissionPolicy admission(Config config) {
    return new AdmissionPolicy(
        counts(config, "kinds"),
        counts(config, "refused_kinds"),
        pubkeys(config, "pubkeys"),
        pubkeys(config, "refused_pubkeys"),
        config.getDuration("max_age").toSeconds());
  }

  private static Set<PubKey> pubkeys(Config config, String key) {
    List<String> values = config.getStringList(key);
    if (!values.stream().allMatch(value -> Hex.isLowerCase(value, 64))) {
      throw new ConfigException.BadValue(key, "not 64 lower-case hex digits each");
    }
    return values.stream().map(PubKey::ofHex).collect(Collectors.toSet());
  }

  private static Limits limits(Config config) {
    Limits.Builder limits = Limits.builder();
    for (Limit limit : Limit.values()) {
      limits.set(limit, value(config, limit));
    }
    return limits.build();
  }

  private static long value(Config config, Limit limit) {
    String key = limit.key();
    return switch (limit.unit()) {
      case COUNT -> count(config, key);
      case BYTES -> Math.toIntExact(config.getBytes(key));
      case TOTAL_BYTES -> config.getBytes(key);
      case SECONDS -> Math.toIntExact(config.getDuration(key).toSeconds());
    };
  }

  private static RateLimits rates(Config config) {
    return new RateLimits(
        ratesBy(config.getConfig("by_address")), ratesBy(config.getConfig("by_pubkey")));
  }

  private static Map<Verb, Rate> ratesBy(Config config) {
    Map<Verb, Rate> rates = new EnumMap<>(Verb.class);
    for (String verb : config.root().keySet()) {
      rates.put(Verb.valueOf(verb.toUpperCase(Locale.ROOT)), Rate.parse(config.getString(verb)));
    }
    return rates;
  }

  private static TransportSettings transport(Config config) {
    return new TransportSettings(
        config.getBoolean("compress"), TrustedProxies.parse(config.getStringList("proxies")));
  }

  /** A whole number; the library would truncate a fraction. */
  private static int count(Config config, String key) {
    return requireWhole(key, config.getDouble(key));
  }

  private static Set<Integer> counts(Config config, String key) {
    return config.getDoubleList(key).stream()
        .map(number -> requireWhole(key, number))
        .collect(Collectors.toSet());
  }

  private static int requireWhole(String key, double number) {
    if (number != Math.rint(number)) {
      throw new ConfigException.BadValue(key, "not a whole number");
    }
    return Math.toIntExact((long) number);
  }
}
