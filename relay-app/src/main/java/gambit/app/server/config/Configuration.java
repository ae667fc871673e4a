package gambit.app.server.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The configuration after all its layers: each setting has the value of the last layer that has
 * one. Immutable.
 */
public final class Configuration {
  private final SettingNames names;
  private final List<Config> layers;
  private final Config merged;
  private final Set<Path> files;

  /** Merges the layers, the defaults first; each later one wins. */
  Configuration(SettingNames names, List<Config> layers, Set<Path> files) {
    this(names, layers, merge(layers), files);
  }

  private Configuration(SettingNames names, List<Config> layers, Config merged, Set<Path> files) {
    this.names = names;
    this.layers = List.copyOf(layers);
    this.merged = merged;
    this.files = Set.copyOf(files);
  }

  private static Config merge(List<Config> layers) {
    Config all = layers.get(0);
    for (Config layer : layers.subList(1, layers.size())) {
      all = layer.withFallback(all);
    }
    return all;
  }

  /** With the values that another configuration has for some keys. */
  public Configuration withValuesOf(Configuration other, Set<String> keys) {
    Config changed = merged;
    for (String key : keys) {
      String path = names.path(key);
      changed = changed.withoutPath(path).withValue(path, other.merged.getValue(path));
    }
    return new Configuration(names, layers, changed, files);
  }

  public SettingsReader reader() {
    return new SettingsReader(this, "");
  }

  /** The configuration file and the files that it includes; empty without one. */
  public Set<Path> files() {
    return new TreeSet<>(files);
  }

  public SettingNames names() {
    return names;
  }

  Config merged() {
    return merged;
  }

  /** The number of the last layer that has a value for a key; 0 for the defaults. */
  int layerOf(String key) {
    for (int layer = layers.size() - 1; layer > 0; layer--) {
      if (layers.get(layer).hasPath(names.path(key))) {
        return layer;
      }
    }
    return 0;
  }

  /** The settings that a later layer than the defaults has; those of a table are one. */
  public Set<String> changedKeys() {
    return names.keys().stream()
        .filter(key -> layerOf(key) > 0)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  int lineOfDefault(String key) {
    return layers.get(0).getValue(names.path(key)).origin().lineNumber();
  }

  /** The type of a setting's default; entries of tables are texts. */
  ConfigValueType typeOfDefault(String key) {
    return names.tableOf(key).isPresent()
        ? ConfigValueType.STRING
        : layers.get(0).getValue(names.path(key)).valueType();
  }

  ConfigValue value(String key) {
    return merged.getValue(names.path(key));
  }

  /** A sentence about a value: where it was given, the value, and what is wrong. */
  static SettingsProblem problem(String key, ConfigValue value, String fault) {
    return new SettingsProblem(described(key, value) + ": " + withFullStop(fault));
  }

  private static String withFullStop(String sentence) {
    return sentence.endsWith(".") || sentence.endsWith("?") ? sentence : sentence + ".";
  }

  private static String described(String key, ConfigValue value) {
    String text = SettingNames.isSecret(key) ? "(not shown)" : shown(value);
    if (isDefault(value)) {
      return key + " = " + text + " (the default)";
    }
    return value.origin().filename() == null
        ? value.origin().description() + text
        : place(key, value) + " = " + text;
  }

  /** The configuration file in which a value is; empty for defaults, variables and flags. */
  static Optional<Path> fileOf(ConfigValue value) {
    String file = value.origin().filename();
    return file == null || isDefault(value) ? Optional.empty() : Optional.of(Path.of(file));
  }

  /** What gives a value: file and line, variable or flag. */
  static String origin(ConfigValue value) {
    ConfigOrigin origin = value.origin();
    return origin.filename() == null
        ? origin.description().replaceFirst("[= ]$", "")
        : origin.filename() + ", line " + origin.lineNumber();
  }

  static String place(String key, ConfigValue value) {
    ConfigOrigin origin = value.origin();
    return origin.filename() + ", line " + origin.lineNumber() + ": " + key;
  }

  private static boolean isDefault(ConfigValue value) {
    return value.origin().description().startsWith(ConfigSources.DEFAULTS);
  }

  private static String shown(ConfigValue value) {
    if (value instanceof ConfigObject) {
      return "{…}";
    }
    Object plain = value.unwrapped();
    if (plain instanceof List<?> items && items.stream().anyMatch(Configuration::isNested)) {
      return "[…]"; // it may contain a secret
    }
    String text = plain instanceof List<?> items ? join(items) : String.valueOf(plain);
    return RedactedText.of(text);
  }

  private static boolean isNested(Object item) {
    return item instanceof List || item instanceof Map;
  }

  private static String join(List<?> items) {
    return items.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
