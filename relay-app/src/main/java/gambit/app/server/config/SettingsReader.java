package gambit.app.server.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import gambit.core.model.KindSet;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One section of the settings, read by its keys. Every error names the place of the value (file and
 * line, variable or flag), key, value, and what was expected. A key that {@code reference.conf}
 * does not have is a bug. Immutable.
 */
public final class SettingsReader {
  static final String LIST_FILE = "file:";
  private static final int MAX_ITEMS = 500_000;

  private final Configuration configuration;
  private final String prefix;

  SettingsReader(Configuration configuration, String prefix) {
    this.configuration = configuration;
    this.prefix = prefix;
  }

  public SettingsReader section(String key) {
    return new SettingsReader(configuration, prefix + key + ".");
  }

  /** The keys of this section, without those of the sections in it. */
  public Set<String> keys() {
    return configuration.names().keys().stream()
        .filter(key -> key.startsWith(prefix) && key.indexOf('.', prefix.length()) < 0)
        .map(key -> key.substring(prefix.length()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  public boolean bool(String key) {
    return get(key, "expected true or false", Config::getBoolean);
  }

  public String text(String key) {
    return get(key, "expected a text", Config::getString);
  }

  public List<String> texts(String key) {
    return each(key, item -> item);
  }

  /** A whole number that an {@code int} can hold; the library would truncate a fraction. */
  public int count(String key) {
    return (int) wholeNumber(key, Integer.MIN_VALUE, Integer.MAX_VALUE, "expected a whole number");
  }

  public int count(String key, int min, int max) {
    String expected = "expected a whole number from " + min + " to " + max;
    return (int) wholeNumber(key, min, max, expected);
  }

  private long wholeNumber(String key, long min, long max, String expected) {
    double number = get(key, expected, Config::getDouble);
    if (number != Math.rint(number) || number < min || number > max) {
      throw problem(key, expected);
    }
    return (long) number;
  }

  public long bytes(String key) {
    return bytes(key, Long.MAX_VALUE);
  }

  public long bytes(String key, long max) {
    String expected =
        "expected a size such as 64K, 16M or 2G"
            + (max == Long.MAX_VALUE ? "" : ", at most " + max + " bytes");
    long bytes = get(key, expected, Config::getBytes);
    if (bytes < 0 || bytes > max) {
      throw problem(key, expected);
    }
    return bytes;
  }

  /** A time; it needs a unit unless it is 0. It may be negative. */
  public Duration duration(String key) {
    String expected = "expected a time with a unit, such as 250ms, 30s, 15m, 12h or 7d";
    String text = String.valueOf(value(key).unwrapped()).strip();
    if (text.matches("[-+]?[0-9.]*[1-9][0-9.]*")) {
      throw problem(key, expected);
    }
    return get(key, expected, Config::getDuration);
  }

  public Duration duration(String key, Duration min, Duration max) {
    Duration duration = duration(key);
    if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
      throw problem(key, "expected a time from " + text(min) + " to " + text(max));
    }
    return duration;
  }

  private static String text(Duration time) {
    if (time.toDays() > 0) {
      return time.toDays() + "d";
    } else if (time.toMinutes() > 0) {
      return time.toMinutes() + "m";
    }
    return time.toSeconds() > 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }

  /** One of an enum's names, in lower case with hyphens or underscores. */
  public <E extends Enum<E>> E choice(String key, Class<E> type) {
    String word = text(key).toUpperCase(Locale.ROOT).replace('-', '_');
    StringJoiner words = new StringJoiner(", ");
    for (E each : type.getEnumConstants()) {
      if (each.name().equals(word)) {
        return each;
      }
      words.add(each.name().toLowerCase(Locale.ROOT));
    }
    throw problem(key, "expected one of " + words);
  }

  /** A public key, as npub or hex digits; empty if the text is. */
  public Optional<PubKey> pubkey(String key) {
    String text = text(key);
    return text.isEmpty() ? Optional.empty() : Optional.of(parse(key, SettingsReader::pubkeyOf));
  }

  /** Public keys, as npub or hex digits; {@code file:NAME} stands for the items of a file. */
  public Set<PubKey> pubkeys(String key) {
    return new HashSet<>(eachOrFromFile(key, SettingsReader::pubkeyOf));
  }

  private static PubKey pubkeyOf(String text) {
    if (text.matches("[0-9a-fA-F]{64}")) {
      return PubKey.ofHex(text);
    }
    return Nip19.key(text).orElseThrow(() -> new IllegalArgumentException(notPublicKey(text)));
  }

  private static String notPublicKey(String text) {
    if (text.startsWith("npub1")) {
      return "this npub has a typing error, or is not complete: its checksum does not match";
    } else if (text.startsWith("nsec1")) {
      return "expected a public key, npub1...; this is a secret key";
    }
    return "expected a public key: an npub, or 64 hex digits";
  }

  /** Kinds and ranges of them; {@code file:NAME} stands for the items of a file. */
  public KindSet kinds(String key) {
    List<KindSet> sets = eachOrFromFile(key, KindSet::parse);
    return KindSet.union(sets);
  }

  /**
   * The name of a file; empty if the text is. In a configuration file it is relative to that file's
   * directory, else to the working directory.
   */
  public Optional<Path> file(String key) {
    String text = text(key);
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(resolve(value(key), text));
    } catch (InvalidPathException e) {
      throw problem(key, "expected the name of a file");
    }
  }

  static Path resolve(ConfigValue value, String name) {
    Path base = Configuration.fileOf(value).orElse(Path.of("").resolve("none"));
    return base.toAbsolutePath().resolveSibling(name).normalize();
  }

  public Map<String, String> table(String key) {
    Map<String, String> entries = new TreeMap<>();
    configuration
        .entries(prefix + key)
        .keySet()
        .forEach(each -> entries.put(each, section(key).text(each)));
    return entries;
  }

  /** A text read by a parser, whose {@link IllegalArgumentException} says what was expected. */
  public <T> T parse(String key, Function<String, T> parser) {
    try {
      return parser.apply(text(key));
    } catch (IllegalArgumentException e) {
      throw problem(key, message(e));
    }
  }

  /** The items of a list, each read by a parser; errors name the item's line. */
  public <T> List<T> each(String key, Function<String, T> parser) {
    return list(key).stream().map(item -> parseItem(key, item, parser)).toList();
  }

  /** Like {@link #each}; {@code file:NAME} stands for the items of a file, one on each line. */
  public <T> List<T> eachOrFromFile(String key, Function<String, T> parser) {
    List<T> items = new ArrayList<>();
    for (ConfigValue item : list(key)) {
      if (namesFile(item)) {
        addFromFile(key, item, parser, items);
      } else {
        items.add(parseItem(key, item, parser));
      }
    }
    return items;
  }

  static boolean namesFile(ConfigValue item) {
    return String.valueOf(item.unwrapped()).startsWith(LIST_FILE);
  }

  /** The file that an item {@code file:NAME} of a list names. */
  static Path listFile(ConfigValue item) {
    String text = String.valueOf(item.unwrapped());
    return resolve(item, text.substring(LIST_FILE.length()).strip());
  }

  private ConfigList list(String key) {
    if (value(key) instanceof ConfigList list) {
      return list;
    }
    throw problem(key, "expected a list, [ … ]");
  }

  private <T> T parseItem(String key, ConfigValue item, Function<String, T> parser) {
    if (item.valueType() == ConfigValueType.OBJECT || item.valueType() == ConfigValueType.LIST) {
      throw Configuration.problem(prefix + key, item, "expected one value for each item");
    }
    try {
      return parser.apply(String.valueOf(item.unwrapped()));
    } catch (IllegalArgumentException e) {
      throw Configuration.problem(prefix + key, item, message(e));
    }
  }

  private <T> void addFromFile(
      String key, ConfigValue item, Function<String, T> parser, List<T> items) {
    Path file;
    List<ListFile.Line> lines;
    try {
      file = listFile(item);
      lines = ListFile.read(file);
    } catch (InvalidPathException e) {
      throw Configuration.problem(prefix + key, item, "expected the name of a file");
    } catch (IOException e) {
      throw Configuration.problem(prefix + key, item, message(e));
    }
    for (ListFile.Line line : lines) {
      try {
        items.add(parser.apply(line.item()));
      } catch (IllegalArgumentException e) {
        throw new SettingsProblem(
            "%s, line %s: %s (in %s%s): %s."
                .formatted(
                    file, line.number(), RedactedText.of(line.item()), prefix, key, message(e)));
      }
      if (items.size() > MAX_ITEMS) {
        throw Configuration.problem(
            prefix + key, item, "expected at most " + MAX_ITEMS + " items in all");
      }
    }
  }

  /** Creates what checks its own values, and names the keys in question when it throws. */
  public <T> T check(Supplier<T> creation) {
    try {
      return creation.get();
    } catch (IllegalArgumentException e) {
      throw conflict(message(e), named(message(e)));
    }
  }

  private String[] named(String message) {
    Set<String> words = new HashSet<>(List.of(message.split("[^a-z0-9_]+")));
    return keys().stream().filter(words::contains).toArray(String[]::new);
  }

  /** A fault of one value; {@code expected} has no full stop. */
  public SettingsProblem problem(String key, String expected) {
    return Configuration.problem(prefix + key, value(key), expected);
  }

  /** A fault of several values together; the place is that of the one that was given last. */
  public SettingsProblem conflict(String fault, String... keys) {
    String blamed = null;
    for (String key : keys) {
      if (blamed == null
          || configuration.layerOf(prefix + key) > configuration.layerOf(prefix + blamed)) {
        blamed = key;
      }
    }
    return blamed == null ? new SettingsProblem(prefix + fault + ".") : problem(blamed, fault);
  }

  private ConfigValue value(String key) {
    return configuration.value(prefix + key);
  }

  private <T> T get(String key, String expected, BiFunction<Config, String, T> getter) {
    try {
      return getter.apply(value(key).atKey("value"), "value");
    } catch (ConfigException | ArithmeticException e) {
      throw problem(key, expected);
    }
  }

  private static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }
}
