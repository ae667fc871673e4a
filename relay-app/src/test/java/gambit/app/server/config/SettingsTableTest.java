package gambit.app.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.server.reload.Reload;
import gambit.app.server.settings.Settings;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages about the configuration agree with {@code reference.conf} and with the program. */
class SettingsTableTest {
  private static final Path PAGE = Path.of("../docs/operations/configuration.md");
  private static final String RESTART = "need a restart, all others change on reload:";

  @Test
  void thePageNamesTheSettingsThatNeedARestart() throws Exception {
    String page = Files.readString(PAGE);
    String[] lists = page.substring(page.indexOf(RESTART) + RESTART.length()).split("except");
    List<String> named = patterns(lists[0]);
    List<String> excepted = patterns(lists[1]);
    Set<String> keys = ConfigSources.defaults().load().names().keys();
    assertThat(keys)
        .allSatisfy(
            key ->
                assertThat(named.stream().anyMatch(key::matches) && !excepted.contains(key))
                    .as(key)
                    .isEqualTo(Reload.needsRestart(key)));
    for (String pattern : named) {
      assertThat(keys).as(pattern).anyMatch(key -> key.matches(pattern));
    }
  }

  /** The settings of a list, {@code metrics.*} for all of a section, as regular expressions. */
  private static List<String> patterns(String list) {
    return Pattern.compile("`([a-z_0-9.*]+)`")
        .matcher(list)
        .results()
        .map(key -> key.group(1).replace("*", ".*"))
        .toList();
  }

  /** The keys, lists and programs to which an example refers are made up here. */
  @ParameterizedTest
  @ValueSource(strings = {"configuration.md", "policies.md"})
  void theExamplesOfThePageAreValidConfigurations(String page, @TempDir Path directory)
      throws Exception {
    Matcher examples =
        Pattern.compile("```hocon\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE.resolveSibling(page)));
    String key = Nip19.npub(PubKey.ofHex("a".repeat(64)));
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
}
