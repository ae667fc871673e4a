package gambit.app.server.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The values of a configuration at one time, to be compared with those at another. A list from
 * files has changed when the items in a file have. Immutable.
 */
public final class ConfigSnapshot {
  private static final String NOT_SHOWN = "(not shown)";

  /** A setting whose values differ, in words for the operator; a secret is not shown. */
  public record Change(String key, String before, String after) {
    @Override
    public String toString() {
      return before.equals(after) ? key + ": " + after : key + ": " + before + " -> " + after;
    }
  }

  private record Value(String text, String shown) {}

  private final SortedMap<String, Value> values = new TreeMap<>();

  public ConfigSnapshot(Configuration configuration) {
    for (String key : configuration.names().keys()) {
      values.put(key, value(key, configuration.value(key)));
    }
  }

  private static Value value(String key, ConfigValue value) {
    if (value instanceof ConfigList list) {
      return listed(list);
    }
    if (value instanceof ConfigObject table) {
      Map<String, Object> entries = new TreeMap<>(table.unwrapped());
      return new Value(entries.toString(), RedactedText.of(entries.toString()));
    }
    String text = String.valueOf(value.unwrapped());
    String shown = SettingNames.isSecret(key) ? NOT_SHOWN : RedactedText.of(text);
    return new Value(text, shown.isEmpty() ? "(empty)" : shown);
  }

  private static Value listed(ConfigList list) {
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
    return new Value(
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

  public List<Change> changesTo(ConfigSnapshot later) {
    List<Change> changes = new ArrayList<>();
    values.forEach(
        (key, before) -> {
          Value after = later.values.get(key);
          if (after != null && !after.text.equals(before.text)) {
            changes.add(new Change(key, before.shown, after.shown));
          }
        });
    return changes;
  }
}
