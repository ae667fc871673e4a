package gambit.app.server.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The configuration after all its layers: each setting has the value of the last layer that has
 * one. The entries of a table have keys of their own, {@code table.entry}. Immutable.
 *
 * <p>It can be compared with a later one. A list from files has changed when the items in a file
 * have.
 */
public final class Configuration {
  private static final String NOT_SHOWN = "(not shown)";

  /** A setting whose values differ, in words for the operator; a secret is not shown. */
  public record Change(String key, String before, String after) {
    @Override
    public String toString() {
      return before.equals(after) ? key + ": " + after : key + ": " + before + " -> " + after;
    }
  }

  /** The text of a value when it was read, and in words for the operator. */
  private record ReadValue(String text, String shown) {}

  private final SettingNames names;
  private final List<Map<String, ConfigValue>> layers;
  private final NavigableMap<String, ConfigValue> values = new TreeMap<>();
  private final SortedMap<String, ReadValue> readValues = new TreeMap<>();
  private final Set<Path> files;

  Configuration(SettingNames names, List<Map<String, ConfigValue>> layers, Set<Path> files) {
    this.names = names;
    this.layers = layers;
    this.files = files;
    layers.forEach(values::putAll);
    names.keys().forEach(key -> readValues.put(key, readValue(key, value(key))));
  }

  public Configuration withValuesOf(Configuration other, Set<String> keys) {
    Configuration changed = new Configuration(names, layers, files);
    Predicate<String> isTaken = key -> keys.contains(names.tableOf(key).orElse(key));
    changed.values.keySet().removeIf(isTaken);
    other.values.keySet().stream()
        .filter(isTaken)
        .forEach(key -> changed.values.put(key, other.value(key)));
    keys.forEach(key -> changed.readValues.put(key, readValue(key, changed.value(key))));
    return changed;
  }

  private static ReadValue readValue(String key, ConfigValue value) {
    if (value instanceof ConfigList list) {
      return readList(list);
    }
    if (value instanceof ConfigObject table) {
      String entries = new TreeMap<>(table.unwrapped()).toString();
      return new ReadValue(entries, RedactedText.of(entries));
    }
    String text = String.valueOf(value.unwrapped());
    String shown = SettingNames.isSecret(key) ? NOT_SHOWN : RedactedText.of(text);
    return new ReadValue(text, shown.isEmpty() ? "(empty)" : shown);
  }

  private static ReadValue readList(ConfigList list) {
    List<String> texts = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    for (ConfigValue item : list) {
      String text = String.valueOf(item.unwrapped());
      texts.add(text);
      if (SettingsReader.namesFile(item)) {
        List<String> items = itemsOfFile(item);
        texts.addAll(items);
        shown.add(text + " (" + items.size() + (items.size() == 1 ? " item)" : " items)"));
      } else {
        shown.add(text);
      }
    }
    return new ReadValue(
        texts.toString(), shown.isEmpty() ? "(empty)" : RedactedText.of(String.join(",", shown)));
  }

  /** The items of a file; none if it cannot be read, which reading the setting reports. */
  private static List<String> itemsOfFile(ConfigValue item) {
    try {
      return ListFile.read(SettingsReader.listFile(item)).stream()
          .map(ListFile.Line::item)
          .toList();
    } catch (IOException | InvalidPathException e) {
      return List.of();
    }
  }

  public List<Change> changesTo(Configuration later) {
    List<Change> changes = new ArrayList<>();
    readValues.forEach(
        (key, before) -> {
          ReadValue after = later.readValues.get(key);
          if (after != null && !after.text.equals(before.text)) {
            changes.add(new Change(key, before.shown, after.shown));
          }
        });
    return changes;
  }

  public SettingsReader reader() {
    return new SettingsReader(this, "");
  }

  /** The configuration file and the files that it includes, in order; empty without one. */
  public Set<Path> files() {
    return files;
  }

  public SettingNames names() {
    return names;
  }

  /** The number of the last layer that has a value for a key; 0 for the defaults. */
  int layerOf(String key) {
    for (int layer = layers.size() - 1; layer > 0; layer--) {
      if (layers.get(layer).keySet().stream()
          .anyMatch(given -> given.equals(key) || given.startsWith(key + "."))) {
        return layer;
      }
    }
    return 0;
  }

  Map<String, ConfigValue> layer(int number) {
    return layers.get(number);
  }

  /** The settings that a later layer than the defaults has; those of a table are one. */
  public Set<String> changedKeys() {
    return names.keys().stream()
        .filter(key -> layerOf(key) > 0)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The keys of all settings, in the order of {@code reference.conf}. */
  List<String> keysInOrder() {
    return names.defaults().entrySet().stream()
        .sorted(Comparator.comparingInt(it -> it.getValue().origin().lineNumber()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The value of a setting; that of a table is an object. */
  ConfigValue value(String key) {
    ConfigValue value = values.get(key);
    if (value == null) {
      throw new IllegalStateException("reference.conf has no " + key);
    }
    return value instanceof ConfigObject ? ConfigValueFactory.fromMap(entries(key)) : value;
  }

  SortedMap<String, ConfigValue> entries(String table) {
    SortedMap<String, ConfigValue> entries = new TreeMap<>();
    String prefix = table + ".";
    values.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            entries.put(key.substring(prefix.length()), value);
          }
        });
    return entries;
  }

  /** A sentence about a value: where it was given, the value, and what is wrong. */
  static SettingsProblem problem(String key, ConfigValue value, String fault) {
    boolean isSentence = fault.endsWith(".") || fault.endsWith("?");
    return new SettingsProblem(described(key, value) + ": " + fault + (isSentence ? "" : "."));
  }

  private static String described(String key, ConfigValue value) {
    String text = SettingNames.isSecret(key) ? NOT_SHOWN : shown(value);
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
    return origin(value) + ": " + key;
  }

  private static boolean isDefault(ConfigValue value) {
    return value.origin().description().startsWith(ConfigSources.DEFAULTS);
  }

  private static String shown(ConfigValue value) {
    if (value instanceof ConfigObject) {
      return "{…}";
    }
    if (!(value instanceof ConfigList list)) {
      return RedactedText.of(String.valueOf(value.unwrapped()));
    }
    List<Object> items = list.unwrapped();
    return items.stream().anyMatch(item -> item instanceof List || item instanceof Map)
        ? "[…]" // it may contain a secret
        : RedactedText.of(items.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }
}
