package gambit.app.server.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Configurations as text in HOCON, which can be used as a configuration file. */
public final class ConfigText {
  private ConfigText() {}

  public static String sample() {
    try (InputStream in =
        ConfigText.class.getClassLoader().getResourceAsStream(ConfigSources.DEFAULTS)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * All settings with their values, in the order of {@code reference.conf}; a comment names the
   * place of each value that is not the default. Secrets are comments without their values.
   */
  public static String effective(Configuration configuration) {
    StringBuilder text =
        new StringBuilder("# The configuration in effect. A comment names what sets a value.\n");
    String section = "";
    for (String key : configuration.keysInOrder()) {
      String first = key.substring(0, key.indexOf('.'));
      text.append(first.equals(section) ? "" : "\n");
      section = first;
      if (configuration.names().isTable(key)) {
        configuration
            .entries(key)
            .keySet()
            .forEach(entry -> append(text, configuration, key + "." + entry));
      } else {
        append(text, configuration, key);
      }
    }
    return text.toString();
  }

  /**
   * The text of the admins' file, from which the layer of that file is read again, in the order of
   * its keys.
   */
  public static String ofAdmins(Configuration configuration) {
    StringBuilder text =
        new StringBuilder("# Written by the relay when an admin changes settings.\n");
    configuration
        .layer(ConfigSources.ADMIN_LAYER)
        .forEach(
            (key, value) ->
                text.append(path(configuration.names(), key))
                    .append(" = ")
                    .append(rendered(configuration, key, value))
                    .append('\n'));
    return text.toString();
  }

  private static void append(StringBuilder text, Configuration configuration, String key) {
    ConfigValue value = configuration.value(key);
    if (configuration.layerOf(key) > 0) {
      text.append("# ").append(Configuration.origin(value)).append('\n');
    }
    String path = path(configuration.names(), key);
    if (!SettingNames.isSecret(key)) {
      text.append(path).append(" = ").append(rendered(configuration, key, value)).append('\n');
    } else if (configuration.layerOf(key) > 0) {
      text.append("# ").append(path).append(" = (not shown)\n");
    }
  }

  /** A key as HOCON has it; what follows a table's key is one element. */
  private static String path(SettingNames names, String key) {
    String table = names.tableOf(key).orElse(key);
    List<String> elements = new ArrayList<>(List.of(table.split("\\.")));
    if (!table.equals(key)) {
      elements.add(key.substring(table.length() + 1));
    }
    return ConfigUtil.joinPath(elements);
  }

  private static String rendered(Configuration configuration, String key, ConfigValue value) {
    ConfigValue usual = configuration.names().defaults().get(key);
    String plain = String.valueOf(value.unwrapped());
    boolean isBare =
        usual != null
            && (usual.valueType() == ConfigValueType.NUMBER
                || usual.valueType() == ConfigValueType.BOOLEAN);
    if (isBare && plain.matches("[0-9a-z]{1,20}")) {
      return plain; // variables and flags are texts
    }
    if (value instanceof ConfigList list) {
      return list.stream().map(ConfigText::item).collect(Collectors.joining(", ", "[", "]"));
    }
    return value.render(ConfigRenderOptions.concise());
  }

  /** An item of a list; the names of list files are absolute, so that the text can be moved. */
  private static String item(ConfigValue item) {
    return SettingsReader.namesFile(item)
        ? ConfigUtil.quoteString(SettingsReader.LIST_FILE + SettingsReader.listFile(item))
        : item.render(ConfigRenderOptions.concise());
  }
}
