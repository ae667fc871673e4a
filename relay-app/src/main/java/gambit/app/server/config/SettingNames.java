package gambit.app.server.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import gambit.app.common.SimilarWords;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The keys of all settings, taken from {@code reference.conf}, and the names of their environment
 * variables. A section that is empty there is a table: a setting with keys that the operator
 * chooses. Immutable.
 */
public final class SettingNames {
  private static final String VARIABLE_PREFIX = "GAMBIT_";
  static final Set<String> SECRETS = Set.of("token", "password", "secret");

  private final SortedMap<String, ConfigValue> defaults = new TreeMap<>();
  private final Map<String, String> byVariable = new TreeMap<>();

  SettingNames(Config reference) {
    collect(reference.root(), "");
    for (String key : keys()) {
      String clash = byVariable.put(variable(key), key);
      if (clash != null) {
        throw new IllegalStateException(clash + " and " + key + " have the same variable");
      }
    }
  }

  private void collect(ConfigObject section, String prefix) {
    section.forEach(
        (name, value) -> {
          if (value instanceof ConfigObject inner && !inner.isEmpty()) {
            collect(inner, prefix + name + ".");
          } else {
            defaults.put(prefix + name, value);
          }
        });
  }

  public Set<String> keys() {
    return defaults.keySet();
  }

  /** The default of each setting; that of a table is an empty object. */
  Map<String, ConfigValue> defaults() {
    return defaults;
  }

  public static String variable(String key) {
    return VARIABLE_PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  Optional<String> ofVariable(String variable) {
    return Optional.ofNullable(byVariable.get(variable));
  }

  /** Whether a setting's value is never printed: its name is token, password or secret. */
  public static boolean isSecret(String key) {
    return SECRETS.contains(key.substring(key.lastIndexOf('.') + 1));
  }

  boolean contain(String key) {
    return defaults.containsKey(key) || tableOf(key).isPresent();
  }

  boolean isList(String key) {
    return defaults.get(key) instanceof ConfigList;
  }

  boolean isTable(String key) {
    return defaults.get(key) instanceof ConfigObject;
  }

  boolean isSection(String key) {
    return keys().stream().anyMatch(each -> each.startsWith(key + "."));
  }

  Optional<String> tableOf(String key) {
    return keys().stream().filter(each -> isTable(each) && key.startsWith(each + ".")).findFirst();
  }

  /** Words for an unknown key: {@code no such setting}, with the most similar one if there is. */
  String unknown(String key) {
    if (isSection(key)) {
      return "this is a section; its settings have names such as "
          + defaults.tailMap(key + ".").firstKey()
          + ".";
    }
    return "no such setting" + suggestion(key, keys());
  }

  String unknownVariable(String variable, Set<String> others) {
    Set<String> all = new TreeSet<>(byVariable.keySet());
    all.addAll(others);
    return "no such variable" + suggestion(variable, all);
  }

  private static String suggestion(String word, Set<String> known) {
    return known.stream()
        .filter(each -> each.endsWith("." + word))
        .findFirst()
        .or(() -> SimilarWords.find(word, known))
        .map(each -> "; did you mean " + each + "?")
        .orElse(".");
  }
}
