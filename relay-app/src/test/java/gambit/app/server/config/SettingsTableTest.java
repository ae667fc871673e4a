package gambit.app.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigValue;
import gambit.app.server.reload.RestartSettings;
import gambit.app.server.settings.Settings;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages about the configuration agree with {@code reference.conf} and with the program. */
class SettingsTableTest {
  private static final Path PAGE = Path.of("../docs/operations/configuration.md");
  private static final String HEAD = "| setting | default | changes on reload |\n|---|---|---|\n";
  private static final String COMMAND =
      "mvn -q test -pl relay-app -am -Dtest=SettingsTableTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true";

  @Test
  void theTableHasEverySettingWithItsDefault() throws Exception {
    String page = Files.readString(PAGE);
    int start = page.indexOf(HEAD);
    assertThat(start).as("the head of the table").isPositive();
    String expected = page.substring(0, start) + HEAD + rows();
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(PAGE, expected);
    } else {
      assertThat(page).as("the page, written anew by: %s", COMMAND).isEqualTo(expected);
    }
  }

  /** The keys, lists and programs to which an example refers are made up here. */
  @ParameterizedTest
  @ValueSource(strings = {"configuration.md", "policies.md"})
  void theExamplesOfThePageAreValidConfigurations(String page, @TempDir Path directory)
      throws Exception {
    Matcher examples =
        Pattern.compile("```hocon\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE.resolveSibling(page)));
    String key = Npub.of(PubKey.ofHex("a".repeat(64)));
    int count = 0;
    while (examples.find()) {
      String example =
          examples
              .group(1)
              .replace("npub1…", key)
              .replaceAll("file:[^\"]*", "file:list.txt")
              .replaceAll("\"/[^\" ]*/bin/[^\" ]*\"", "\"/bin/sh\"");
      Files.writeString(directory.resolve("list.txt"), key + "\n");
      Path file = Files.writeString(directory.resolve("gambit.conf"), example);
      Configuration configuration = ConfigSources.defaults().withFile("--config", file).load();
      assertThat(Settings.read(configuration)).isNotNull();
      count++;
    }
    assertThat(count).isPositive();
  }

  /** The rows of the table. */
  private static String rows() throws Exception {
    Configuration defaults = ConfigSources.defaults().load();
    List<String> keys = new ArrayList<>(defaults.names().keys());
    keys.sort(Comparator.comparingInt(defaults::lineOfDefault));
    StringBuilder rows = new StringBuilder();
    for (String key : keys) {
      String value = shown(defaults.value(key));
      rows.append("| `").append(key);
      rows.append("` | ").append(value.isEmpty() ? "empty" : "`" + value + "`");
      rows.append(" | ").append(RestartSettings.include(key) ? "no" : "yes").append(" |\n");
    }
    return rows.toString();
  }

  private static String shown(ConfigValue value) {
    if (value instanceof ConfigList list) {
      return list.stream().map(SettingsTableTest::shown).collect(Collectors.joining(","));
    }
    return value.unwrapped() instanceof Map ? "" : String.valueOf(value.unwrapped());
  }
}
