package gambit.app.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which layer sets a value: the file, the environment, {@code --set} or a flag. */
class ConfigLayersTest {
  @TempDir Path directory;

  @Test
  void theLaterLayerWins() throws Exception {
    Path file =
        write("a.conf", "relay { name = File, icon = File, contact = File, banner = File }");
    ConfigSources sources = ConfigSources.defaults().withFile("--config", file);
    assertThat(relay(sources).text("name")).isEqualTo("File");
    sources =
        sources
            .withEnvironment(
                Map.of(
                    "GAMBIT_RELAY_ICON", "Variable",
                    "GAMBIT_RELAY_CONTACT", "Variable",
                    "GAMBIT_RELAY_BANNER", "Variable"))
            .withOverrides(Map.of("relay.contact", "Set", "relay.banner", "Set"))
            .withFlag("--banner", "relay.banner", "Flag");
    assertThat(relay(sources).text("name")).isEqualTo("File");
    assertThat(relay(sources).text("icon")).isEqualTo("Variable");
    assertThat(relay(sources).text("contact")).isEqualTo("Set");
    assertThat(relay(sources).text("banner")).isEqualTo("Flag");
    assertThat(relay(sources).text("description")).contains("chess");
  }

  @Test
  void gambitConfInTheDataDirectoryIsReadIfItExists() throws Exception {
    ConfigSources sources = ConfigSources.defaults().withFileOf(directory);
    assertThat(sources.load().files()).isEmpty();
    Path file = write("gambit.conf", "relay.name = Other");
    assertThat(relay(sources).text("name")).isEqualTo("Other");
    assertThat(sources.load().files()).containsExactly(file);
    Files.delete(file); // after it has been in force
    assertProblem(sources::load, "gambit.conf: " + file + " does not exist.");
  }

  @Test
  void theFileIsReadAnewByEachLoad() throws Exception {
    Path file = write("a.conf", "limits.filters = 7");
    ConfigSources sources = ConfigSources.defaults().withFile("--config", file);
    assertThat(sources.load().reader().count("limits.filters")).isEqualTo(7);
    write("a.conf", "limits.filters = 8");
    assertThat(sources.load().reader().count("limits.filters")).isEqualTo(8);
  }

  @Test
  void variablesAndFlagsTakeListsWithCommas() throws Exception {
    ConfigSources sources =
        ConfigSources.defaults()
            .withEnvironment(Map.of("GAMBIT_RELAY_URL", "wss://a.example, wss://b.example"))
            .withOverrides(Map.of("transport.proxies", ""));
    assertThat(relay(sources).texts("url")).containsExactly("wss://a.example", "wss://b.example");
    assertThat(sources.load().reader().texts("transport.proxies")).isEmpty();
  }

  @Test
  void aListInBracketsIsWrittenAsInAFileSoThatItsItemsMayHaveCommas() throws Exception {
    String both = "wss://a.example both";
    String filtered = "wss://b.example up {\"kinds\":[1,64]}";
    assertThat(peers("[\"" + both + "\", \"\"\"" + filtered + "\"\"\"]"))
        .containsExactly(both, filtered);
    assertThat(peers(" [\"wss://b.example up {\\\"kinds\\\":[1,64]}\"] "))
        .containsExactly(filtered);
    assertThat(peers("[]")).isEmpty();
    ConfigSources inVariables =
        ConfigSources.defaults().withEnvironment(Map.of("GAMBIT_ADMISSION_KINDS", "[1, 5-7]"));
    assertThat(inVariables.load().reader().texts("admission.kinds")).containsExactly("1", "5-7");
  }

  private static List<String> peers(String value) throws SettingsProblem {
    return ConfigSources.defaults()
        .withOverrides(Map.of("sync.peers", value))
        .load()
        .reader()
        .texts("sync.peers");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "[a", "[\"a]", "[a]b", "[${x}]", "[a]\nrelay.port=1", "[a]\n}"})
  void aMalformedListInBracketsIsReported(String value) {
    assertProblem(
        () -> peers(value),
        "--set sync.peers=" + value.replace('\n', ' ') + ": expected a list, [\"…\", \"…\"].");
  }

  @Test
  void aListInAListIsReported() {
    assertProblem(() -> peers("[[1]]"), "--set sync.peers=1: expected one value for each item.");
  }

  @Test
  void aListWithCommasMayBeginWithAnAddressInBrackets() throws Exception {
    ConfigSources sources =
        ConfigSources.defaults().withOverrides(Map.of("transport.proxies", "[::1], 10.0.0.1"));
    assertThat(sources.load().reader().texts("transport.proxies"))
        .containsExactly("[::1]", "10.0.0.1");
  }

  @Test
  void aVariableOfNoSettingIsReported() {
    assertUnknownVariable("GAMBIT_RELAY_NAM", "; did you mean GAMBIT_RELAY_NAME?");
    assertUnknownVariable("GAMBIT_DAT", "; did you mean GAMBIT_DATA?");
    assertUnknownVariable("GAMBIT_SOMETHING_ELSE", ".");
  }

  private static void assertUnknownVariable(String name, String ending) {
    assertUnknownVariable(name, ending, "x");
  }

  private static void assertUnknownVariable(String name, String ending, String value) {
    assertThatThrownBy(() -> ConfigSources.defaults().withEnvironment(Map.of(name, value)).load())
        .isInstanceOf(SettingsProblem.class)
        .hasMessage(name + ": no such variable" + ending);
  }

  @Test
  void variablesOfOtherProgramsAndOfKubernetesAreIgnored() throws Exception {
    Map<String, String> environment =
        Map.of(
            "PATH", "/bin",
            "GAMBIT_DATA", "/data",
            "GAMBIT_CONFIG", "/etc/gambit.conf",
            "GAMBIT_SERVICE_HOST", "10.0.0.1",
            "GAMBIT_SERVICE_PORT_WS", "7447",
            "GAMBIT_PORT", "tcp://10.0.0.1:7447",
            "GAMBIT_PORT_7447_TCP_ADDR", "10.0.0.1",
            "GAMBIT_METRICS_PORT", "tcp://10.0.0.1:7448");
    Configuration configuration = ConfigSources.defaults().withEnvironment(environment).load();
    assertThat(configuration.changedKeys()).isEmpty();
    assertUnknownVariable("GAMBIT_RELAY_NAM", "; did you mean GAMBIT_RELAY_NAME?", "tcp://x");
  }

  @Test
  void everySettingHasAVariableOfItsOwn() {
    SettingNames names = ConfigSources.names();
    assertThat(names.keys()).extracting(SettingNames::variable).doesNotHaveDuplicates();
    assertThat(names.ofVariable("GAMBIT_LIMITS_MAX_LIMIT")).contains("limits.max_limit");
    assertThatThrownBy(() -> new SettingNames(defaults("a { b_c = 1 }, a_b { c = 1 }")))
        .hasMessageContaining("have the same variable");
  }

  @Test
  void anErrorNamesTheVariableOrTheFlag() {
    assertProblem(
        () ->
            ConfigSources.defaults()
                .withEnvironment(Map.of("GAMBIT_LIMITS_FILTERS", "many"))
                .load()
                .reader()
                .count("limits.filters"),
        "GAMBIT_LIMITS_FILTERS=many: expected a whole number.");
    assertProblem(
        () ->
            ConfigSources.defaults()
                .withFlag("--port", "relay.port", "many")
                .load()
                .reader()
                .count("relay.port"),
        "--port many: expected a whole number.");
  }

  @Test
  void tablesHaveEntriesOfAnyName() throws Exception {
    Path file = write("a.conf", "log.levels { gambit.core = debug, \"io.netty\" = warn }");
    ConfigSources sources =
        ConfigSources.defaults()
            .withFile("--config", file)
            .withEnvironment(Map.of("GAMBIT_LOG_LEVELS", "io.netty=error,org.x=info"))
            .withOverrides(Map.of("log.levels.gambit.chess", "trace"));
    Config defaults = defaults("log { level = info, levels {} }");
    assertThat(sources.load(defaults, Map.of()).reader().section("log").table("levels"))
        .isEqualTo(
            Map.of(
                "gambit.core", "debug",
                "gambit.chess", "trace",
                "io.netty", "error",
                "org.x", "info"));
    assertProblem(
        () ->
            ConfigSources.defaults()
                .withOverrides(Map.of("log.levels", "x"))
                .load(defaults, Map.of()),
        "--set log.levels=x: expected NAME=VALUE,NAME=VALUE.");
  }

  @Test
  void secretsAreNeverPrinted() throws Exception {
    Config defaults = defaults("metrics { token = \"\", port = 1 }");
    Path file = write("a.conf", "metrics {\n  token = [ s3same ]\n}");
    ConfigSources inFile = ConfigSources.defaults().withFile("--config", file);
    assertProblem(
        () -> inFile.load(defaults, Map.of()),
        file + ", line 2: metrics.token = (not shown): expected one value.");
    ConfigSources set = ConfigSources.defaults().withOverrides(Map.of("metrics.token", "s3same"));
    assertThat(
            set.load(defaults, Map.of())
                .reader()
                .problem("metrics.token", "expected more")
                .getMessage())
        .isEqualTo("--set metrics.token=(not shown): expected more.");
    write("a.conf", "metrics = [{ token = s3same }]");
    assertProblem(
        () -> inFile.load(defaults, Map.of()),
        file + ", line 1: metrics = […]: expected a section, metrics { … }.");
    write("a.conf", "metrics {\n  token = s3same\"]\n}");
    assertThatThrownBy(() -> inFile.load(defaults, Map.of()))
        .hasMessageStartingWith("" + file)
        .hasMessageNotContaining("s3same");
    assertThat(ConfigText.effective(set.load(defaults, Map.of())))
        .contains("# metrics.token = (not shown)")
        .doesNotContain("s3same");
  }

  static Config defaults(String hocon) {
    return ConfigFactory.parseString(
        hocon, ConfigParseOptions.defaults().setOriginDescription(ConfigSources.DEFAULTS));
  }

  private static void assertProblem(ThrowingCallable action, String sentence) {
    assertThatThrownBy(action).isInstanceOf(SettingsProblem.class).hasMessage(sentence);
  }

  private static SettingsReader relay(ConfigSources sources) throws SettingsProblem {
    return sources.load().reader().section("relay");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
