package gambit.app.server.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import gambit.app.common.SimilarWords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

  enum Form {
    VALUE,
    LIST,
    TABLE
  }

  private final SortedMap<String, Form> forms;
  private final Map<String, String> byVariable;

  SettingNames(Config defaults) {
    SortedMap<String, Form> found = new TreeMap<>();
    collect(defaults.root(), "", found);
    forms = Collections.unmodifiableSortedMap(found);
    Map<String, String> variables = new TreeMap<>();
    for (String key : forms.keySet()) {
      String clash = variables.put(variable(key), key);
      if (clash != null) {
        throw new IllegalStateException(clash + " and " + key + " have the same variable");
      }
    }
    byVariable = Collections.unmodifiableMap(variables);
  }

  private static void collect(ConfigObject section, String prefix, Map<String, Form> found) {
    for (Map.Entry<String, ConfigValue> entry : section.entrySet()) {
      String key = prefix + entry.getKey();
      ConfigValue value = entry.getValue();
      if (value instanceof ConfigObject inner && !inner.isEmpty()) {
        collect(inner, key + ".", found);
      } else if (value instanceof ConfigObject) {
        found.put(key, Form.TABLE);
      } else {
        found.put(key, value.valueType() == ConfigValueType.LIST ? Form.LIST : Form.VALUE);
      }
    }
  }

  public Set<String> keys() {
    return forms.keySet();
  }

  /** The environment variable of a setting: {@code GAMBIT_LIMITS_MAX_LIMIT}. */
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

  Optional<Form> form(String key) {
    return Optional.ofNullable(forms.get(key));
  }

  boolean isSection(String key) {
    return forms.keySet().stream().anyMatch(each -> each.startsWith(key + "."));
  }

  /** The table in which a key is an entry. */
  Optional<String> tableOf(String key) {
    return forms.entrySet().stream()
        .filter(each -> each.getValue() == Form.TABLE && key.startsWith(each.getKey() + "."))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The path of a key in a {@link Config}; what follows a table's key is one element. */
  String path(String key) {
    List<String> elements = new ArrayList<>();
    String table = tableOf(key).orElse(null);
    String fixed = table == null ? key : table;
    elements.addAll(List.of(fixed.split("\\.")));
    if (table != null) {
      elements.add(key.substring(table.length() + 1));
    }
    return ConfigUtil.joinPath(elements);
  }

  /** Words for an unknown key: {@code no such setting}, with the most similar one if there is. */
  String unknown(String key) {
    if (isSection(key)) {
      return "this is a section; its settings have names such as "
          + forms.tailMap(key + ".").firstKey()
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
