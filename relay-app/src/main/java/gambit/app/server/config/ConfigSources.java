package gambit.app.server.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the configuration comes from. The layers, of which the later wins: {@code reference.conf}
 * in the jar, what follows from {@code relay.domain}, the configuration file, the file of what
 * admins have changed over HTTP, the environment, {@code --set}, the other flags. {@link #load}
 * reads the files anew each time. Immutable but for the memory of the data directory's files;
 * thread-safe.
 */
public final class ConfigSources {
  static final String DEFAULTS = "reference.conf";
  public static final String DATA_VARIABLE = "GAMBIT_DATA";
  public static final String FILE_VARIABLE = "GAMBIT_CONFIG";
  public static final String FILE_NAME = "gambit.conf";

  /** The file in the data directory that the relay writes when an admin changes settings. */
  public static final String ADMIN_FILE_NAME = "admin.conf";

  static final int ADMIN_LAYER = 3;

  private static final Set<String> OTHER_VARIABLES = Set.of(DATA_VARIABLE, FILE_VARIABLE);

  /** Names of variables that Kubernetes sets for services whose names begin with gambit. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile("GAMBIT_(.+_)?(SERVICE_(HOST|PORT)|PORT_\\d+_(TCP|UDP))(_.+)?");

  /** Values of such variables whose names, {@code …_PORT}, may be those of settings. */
  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp)://.*");

  /** The beginning of a list whose first item is an address of IPv6 in brackets. */
  private static final Pattern ADDRESS = Pattern.compile("\\[[0-9a-fA-F.]*:[0-9a-fA-F:.]*\\]");

  private record NamedFile(String place, Path path, boolean isRequired) {}

  /**
   * A setting given outside a file.
   *
   * @param place what errors print before the value: {@code "--port "}, {@code
   *     "GAMBIT_RELAY_PORT="}, {@code "--set relay.port="}, {@code "relay.name = "}
   * @param value its text; a list is one in HOCON, {@code ["a", "b"]}, or has commas between its
   *     items
   */
  private record GivenSetting(String place, String key, String value) {}

  /** The files of the data directory, which need not exist, that have been read. */
  private final Set<Path> found = ConcurrentHashMap.newKeySet();

  private final Optional<NamedFile> file;
  private final Optional<NamedFile> adminFile;
  private final Map<String, String> environment;
  private final List<GivenSetting> overrides;
  private final List<GivenSetting> flags;

  private ConfigSources(
      Optional<NamedFile> file,
      Optional<NamedFile> adminFile,
      Map<String, String> environment,
      List<GivenSetting> overrides,
      List<GivenSetting> flags) {
    this.file = file;
    this.adminFile = adminFile;
    this.environment = new TreeMap<>(environment);
    this.overrides = List.copyOf(overrides);
    this.flags = List.copyOf(flags);
  }

  public static ConfigSources defaults() {
    return new ConfigSources(Optional.empty(), Optional.empty(), Map.of(), List.of(), List.of());
  }

  /** With a configuration file, which must exist; errors name it by {@code place}. */
  public ConfigSources withFile(String place, Path path) {
    return withFile(new NamedFile(place, path, true));
  }

  /**
   * With {@code gambit.conf} of a data directory if there is one when it is loaded. Once it has
   * been read, it must exist, lest a reload of a lost file drops the relay's policies.
   */
  public ConfigSources withFileOf(Path data) {
    return withFile(new NamedFile(FILE_NAME, data.resolve(FILE_NAME), false));
  }

  private ConfigSources withFile(NamedFile named) {
    return new ConfigSources(Optional.of(named), adminFile, environment, overrides, flags);
  }

  public ConfigSources withAdminFileOf(Path data) {
    NamedFile named = new NamedFile(ADMIN_FILE_NAME, data.resolve(ADMIN_FILE_NAME), false);
    return new ConfigSources(file, Optional.of(named), environment, overrides, flags);
  }

  /** The file of what admins have changed, if there is a data directory for it. */
  public Optional<Path> adminFile() {
    return adminFile.map(NamedFile::path);
  }

  public ConfigSources withEnvironment(Map<String, String> variables) {
    Map<String, String> ours = new TreeMap<>(variables);
    ours.keySet().removeIf(name -> !name.startsWith("GAMBIT_"));
    ours.keySet().removeAll(OTHER_VARIABLES);
    ours.entrySet().removeIf(ConfigSources::isServiceLink);
    return new ConfigSources(file, adminFile, ours, overrides, flags);
  }

  private static boolean isServiceLink(Map.Entry<String, String> variable) {
    return SERVICE_LINK.matcher(variable.getKey()).matches()
        || (variable.getKey().endsWith("_PORT")
            && SERVICE_ADDRESS.matcher(variable.getValue()).matches());
  }

  public ConfigSources withOverrides(Map<String, String> set) {
    List<GivenSetting> given = new ArrayList<>();
    set.forEach((key, value) -> given.add(new GivenSetting("--set " + key + "=", key, value)));
    return new ConfigSources(file, adminFile, environment, given, flags);
  }

  public ConfigSources withFlag(String flag, String key, String value) {
    List<GivenSetting> given = new ArrayList<>(flags);
    given.add(new GivenSetting(flag + " ", key, value));
    return new ConfigSources(file, adminFile, environment, overrides, given);
  }

  public static SettingNames names() {
    return new SettingNames(reference());
  }

  /** Reads all layers and checks their keys; the sections that read the values check these. */
  public Configuration load() {
    return loadWith(Map.of());
  }

  /**
   * Reads all layers as the configuration would be with other settings in the admins' file: a text
   * replaces what the file has for a key, and an empty one removes it. Texts are written as in
   * variables, but lists without brackets: what strangers could send is not parsed as HOCON.
   */
  public Configuration loadWith(Map<String, Optional<String>> changes) {
    return load(reference(), changes);
  }

  Configuration load(Config reference, Map<String, Optional<String>> changes) {
    SettingNames names = new SettingNames(reference);
    Set<Path> files = new TreeSet<>();
    List<Map<String, ConfigValue>> given =
        List.of(
            fromFile(file, names, reference, files),
            changed(fromFile(adminFile, names, reference, files), names, changes),
            layer(names, fromEnvironment(names)),
            layer(names, overrides),
            layer(names, flags));
    List<Map<String, ConfigValue>> layers = new ArrayList<>();
    layers.add(names.defaults());
    layers.add(DomainDefaults.of(given));
    layers.addAll(given);
    return new Configuration(names, layers, files);
  }

  private static Map<String, ConfigValue> changed(
      Map<String, ConfigValue> layer, SettingNames names, Map<String, Optional<String>> changes) {
    Map<String, ConfigValue> changed = new TreeMap<>(layer);
    changes.forEach(
        (key, text) -> {
          changed.keySet().removeIf(it -> it.equals(key) || it.startsWith(key + "."));
          text.ifPresent(
              it -> {
                if (names.isList(key)) {
                  requirePlainItems(key, it);
                }
                changed.putAll(layer(names, List.of(new GivenSetting(key + " = ", key, it))));
              });
        });
    return changed;
  }

  private static void requirePlainItems(String key, String text) {
    if (text.strip().startsWith("[")) {
      throw new SettingsProblem(
          key + ": expected items with commas between them, without brackets.");
    } else if (items(text).stream().anyMatch(it -> it.startsWith(SettingsReader.LIST_FILE))) {
      throw new SettingsProblem(key + ": only the configuration file can name a file.");
    }
  }

  private List<GivenSetting> fromEnvironment(SettingNames names) {
    List<GivenSetting> given = new ArrayList<>();
    environment.forEach(
        (name, value) -> {
          String key =
              names
                  .ofVariable(name)
                  .orElseThrow(
                      () ->
                          new SettingsProblem(
                              name + ": " + names.unknownVariable(name, OTHER_VARIABLES)));
          given.add(new GivenSetting(name + "=", key, value));
        });
    return given;
  }

  private static Config reference() {
    return ConfigFactory.parseResources(
        ConfigSources.class.getClassLoader(),
        DEFAULTS,
        ConfigParseOptions.defaults().setAllowMissing(false));
  }

  private Map<String, ConfigValue> fromFile(
      Optional<NamedFile> source, SettingNames names, Config reference, Set<Path> files) {
    if (source.isEmpty()) {
      return Map.of();
    }
    NamedFile named = source.get();
    if (!named.isRequired()) {
      requireDirectory(named.path().getParent());
      if (!found.contains(named.path()) && Files.notExists(named.path())) {
        return Map.of();
      }
    }
    Config read = new ConfigFile(files).read(named.place(), named.path());
    if (!named.isRequired()) {
      found.add(named.path());
    }
    try {
      Config resolved = read.resolveWith(read.withFallback(reference).resolve());
      Map<String, ConfigValue> layer = new TreeMap<>();
      flatten(names, resolved.root(), "", layer);
      return layer;
    } catch (ConfigException e) {
      throw new SettingsProblem(ConfigFile.sentence(e));
    }
  }

  /** A file in place of the data directory would otherwise be reported as a fault of its file. */
  private static void requireDirectory(@Nullable Path data) {
    if (data != null && Files.exists(data) && !Files.isDirectory(data)) {
      throw new SettingsProblem("--data: " + data + " is not a directory.");
    }
  }

  /** The settings of a file by key; entries of tables may be written as sections. */
  private static void flatten(
      SettingNames names, ConfigObject section, String prefix, Map<String, ConfigValue> flat) {
    section.forEach(
        (name, value) -> {
          String key = prefix + name;
          boolean isSection = names.isSection(key) || names.isTable(key);
          if (value instanceof ConfigObject inner
              && (isSection || names.tableOf(key).isPresent())) {
            flatten(names, inner, key + ".", flat);
          } else if (isSection) {
            throw Configuration.problem(key, value, "expected a section, " + key + " { … }");
          } else if (!names.contain(key)) {
            throw new SettingsProblem(Configuration.place(key, value) + ": " + names.unknown(key));
          } else {
            requireForm(key, value, names.isList(key));
            flat.put(key, value);
          }
        });
  }

  private static void requireForm(String key, ConfigValue value, boolean isListWanted) {
    boolean isPlain =
        Set.of(ConfigValueType.STRING, ConfigValueType.NUMBER, ConfigValueType.BOOLEAN)
            .contains(value.valueType());
    if (isListWanted && !(value instanceof ConfigList)) {
      throw Configuration.problem(key, value, "expected a list, [ … ]");
    } else if (!isListWanted && !isPlain) {
      throw Configuration.problem(key, value, "expected one value");
    }
  }

  private static Map<String, ConfigValue> layer(SettingNames names, List<GivenSetting> given) {
    Map<String, ConfigValue> layer = new TreeMap<>();
    for (GivenSetting each : given) {
      if (!names.contain(each.key())) {
        throw new SettingsProblem(
            each.place().replaceFirst("[= ]$", "") + ": " + names.unknown(each.key()));
      } else if (names.isTable(each.key())) {
        addTable(each, layer);
      } else {
        Object value = names.isList(each.key()) ? list(each) : each.value();
        layer.put(each.key(), ConfigValueFactory.fromAnyRef(value, each.place()));
      }
    }
    return layer;
  }

  /** The items of a list in HOCON, as the library holds them, or of one with commas. */
  private static List<?> list(GivenSetting given) {
    String text = given.value().strip();
    if (!text.startsWith("[") || ADDRESS.matcher(text).lookingAt()) {
      return items(text);
    }
    try {
      Config read = ConfigFactory.parseString("list = " + text);
      if (text.endsWith("]") && read.root().size() == 1) {
        return read.getList("list").unwrapped();
      }
    } catch (ConfigException e) {
      // as what is no list
    }
    throw new SettingsProblem(
        given.place() + RedactedText.of(text) + ": expected a list, [\"…\", \"…\"].");
  }

  private static List<String> items(String text) {
    return text.isBlank()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  private static void addTable(GivenSetting given, Map<String, ConfigValue> layer) {
    for (String item : items(given.value())) {
      int split = item.lastIndexOf('=');
      if (split < 1) {
        throw new SettingsProblem(
            given.place() + RedactedText.of(given.value()) + ": expected NAME=VALUE,NAME=VALUE.");
      }
      String name = item.substring(0, split);
      layer.put(
          given.key() + "." + name,
          ConfigValueFactory.fromAnyRef(item.substring(split + 1), given.place() + name + "="));
    }
  }
}
