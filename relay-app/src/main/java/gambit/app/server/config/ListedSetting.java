package gambit.app.server.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A setting in force, for people who may change the configuration but not read every secret in it.
 * Immutable.
 *
 * @param value its text as a variable has it; empty for a secret; beyond {@value #MAX_CHARS}
 *     characters it is cut, and credentials in URLs are left out
 * @param source what gives the value: {@code default}, file and line, variable or flag
 * @param isFixed whether the environment or a flag gives it, so that no file can change it
 */
public record ListedSetting(
    String key,
    String value,
    boolean isWhole,
    String defaultValue,
    String source,
    boolean isFixed,
    boolean isSecret,
    boolean namesFiles,
    String about) {
  static final int MAX_CHARS = 16_000;

  /** User and password, or the parameters, of a URL. */
  private static final Pattern CREDENTIALS = Pattern.compile("(?<=://)[^/\\s@]*@|(?<=\\S)\\?\\S+");

  public static List<ListedSetting> all(Configuration configuration) {
    return configuration.keysInOrder().stream().map(key -> of(configuration, key)).toList();
  }

  private static ListedSetting of(Configuration configuration, String key) {
    ConfigValue value = configuration.value(key);
    ConfigValue usual = configuration.names().defaults().get(key);
    int layer = configuration.layerOf(key);
    boolean isSecret = SettingNames.isSecret(key);
    String text = text(value);
    String shown = withoutCredentials(key, text);
    if (shown.length() > MAX_CHARS) {
      shown = shown.substring(0, MAX_CHARS);
    }
    return new ListedSetting(
        key,
        isSecret ? "" : shown,
        shown.equals(text),
        usual == null ? "" : text(usual),
        layer == 0 ? "default" : Configuration.origin(value),
        layer > ConfigSources.ADMIN_LAYER,
        isSecret,
        value instanceof ConfigList && text.contains(SettingsReader.LIST_FILE),
        usual == null ? "" : comment(usual));
  }

  private static String text(ConfigValue value) {
    if (value instanceof ConfigList list) {
      return list.stream().map(ListedSetting::text).collect(Collectors.joining(","));
    } else if (value instanceof ConfigObject table) {
      return new TreeMap<>(table.unwrapped())
          .entrySet().stream()
              .map(it -> it.getKey() + "=" + it.getValue())
              .collect(Collectors.joining(","));
    }
    return String.valueOf(value.unwrapped());
  }

  /** A value without credentials. The relay's own texts are public, and may contain any link. */
  public static String withoutCredentials(String key, String text) {
    String plain = RedactedText.withoutSecretKeys(text);
    return key.startsWith("relay.") ? plain : CREDENTIALS.matcher(plain).replaceAll("…");
  }

  private static String comment(ConfigValue value) {
    return value.origin().comments().stream().map(String::strip).collect(Collectors.joining(" "));
  }
}
