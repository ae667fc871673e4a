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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the configuration comes from. The layers, of which the later wins: {@code reference.conf}
 * in the jar, the configuration file, the environment, {@code --set}, the other flags. {@link
 * #load} reads the files anew each time. Immutable but for the memory of the data directory's file;
 * thread-safe.
 */
public final class ConfigSources {
  static final String DEFAULTS = "reference.conf";
  public static final String DATA_VARIABLE = "GAMBIT_DATA";
  public static final String FILE_VARIABLE = "GAMBIT_CONFIG";
  public static final String FILE_NAME = "gambit.conf";
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
   *     "GAMBIT_RELAY_PORT="}, {@code "--set relay.port="}
   * @param value its text; a list is one in HOCON, {@code ["a", "b"]}, or has commas between its
   *     items
   */
  private record GivenSetting(String place, String key, String value) {}

  /** Whether the file of the data directory, which need not exist, has been read. */
  private volatile boolean hasReadOptionalFile;

  private final Optional<NamedFile> file;
  private final Map<String, String> environment;
  private final List<GivenSetting> overrides;
  private final List<GivenSetting> flags;

  private ConfigSources(
      Optional<NamedFile> file,
      Map<String, String> environment,
      List<GivenSetting> overrides,
      List<GivenSetting> flags) {
    this.file = file;
    this.environment = new TreeMap<>(environment);
    this.overrides = List.copyOf(overrides);
    this.flags = List.copyOf(flags);
  }

  public static ConfigSources defaults() {
    return new ConfigSources(Optional.empty(), Map.of(), List.of(), List.of());
  }

  /** With a configuration file, which must exist; errors name it by {@code place}. */
  public ConfigSources withFile(String place, Path path) {
    return new ConfigSources(
        Optional.of(new NamedFile(place, path, true)), environment, overrides, flags);
  }

  /**
   * With {@code gambit.conf} of a data directory if there is one when it is loaded. Once it has
   * been read, it must exist, lest a reload of a lost file drops the relay's policies.
   */
  public ConfigSources withFileOf(Path data) {
    NamedFile named = new NamedFile(FILE_NAME, data.resolve(FILE_NAME), false);
    return new ConfigSources(Optional.of(named), environment, overrides, flags);
  }

  public ConfigSources withEnvironment(Map<String, String> variables) {
    Map<String, String> ours = new TreeMap<>(variables);
    ours.keySet().removeIf(name -> !name.startsWith("GAMBIT_"));
    ours.keySet().removeAll(OTHER_VARIABLES);
    ours.entrySet().removeIf(ConfigSources::isServiceLink);
    return new ConfigSources(file, ours, overrides, flags);
  }

  private static boolean isServiceLink(Map.Entry<String, String> variable) {
    return SERVICE_LINK.matcher(variable.getKey()).matches()
        || (variable.getKey().endsWith("_PORT")
            && SERVICE_ADDRESS.matcher(variable.getValue()).matches());
  }

  public ConfigSources withOverrides(Map<String, String> set) {
    List<GivenSetting> given = new ArrayList<>();
    set.forEach((key, value) -> given.add(new GivenSetting("--set " + key + "=", key, value)));
    return new ConfigSources(file, environment, given, flags);
  }

  public ConfigSources withFlag(String flag, String key, String value) {
    List<GivenSetting> given = new ArrayList<>(flags);
    given.add(new GivenSetting(flag + " ", key, value));
    return new ConfigSources(file, environment, overrides, given);
  }

  public static SettingNames names() {
    return new SettingNames(reference());
  }

  /** Reads all layers and checks their keys; the sections that read the values check these. */
  public Configuration load() {
    return load(reference());
  }

  /** Reads all layers over other defaults, whose origin is {@link #DEFAULTS}. */
  Configuration load(Config reference) {
    SettingNames names = new SettingNames(reference);
    Set<Path> files = new TreeSet<>();
    return new Configuration(
        names,
        List.of(
            names.defaults(),
            fromFile(names, reference, files),
            layer(names, fromEnvironment(names)),
            layer(names, overrides),
            layer(names, flags)),
        files);
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

  private Map<String, ConfigValue> fromFile(SettingNames names, Config reference, Set<Path> files) {
    if (file.isEmpty()) {
      return Map.of();
    }
    NamedFile named = file.get();
    if (!named.isRequired()) {
      requireDirectory(named.path().getParent());
      if (!hasReadOptionalFile && Files.notExists(named.path())) {
        return Map.of();
      }
    }
    Config read = new ConfigFile(files).read(named.place(), named.path());
    hasReadOptionalFile = !named.isRequired();
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
