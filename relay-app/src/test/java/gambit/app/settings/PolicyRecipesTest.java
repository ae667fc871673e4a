package gambit.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.config.ConfigSources;
import gambit.app.config.SettingsProblem;
import gambit.core.model.Npub;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The recipes of {@code docs/operations/policies.md}, and lists of keys in files. */
class PolicyRecipesTest {
  private static final Path PAGE = Path.of("../docs/operations/policies.md");
  private static final String ALICE = Npub.of(Keys.of("alice").pubkey());

  @TempDir Path directory;

  static List<String> recipes() throws IOException {
    List<String> recipes = new ArrayList<>();
    Matcher block = Pattern.compile("```hocon\n(.*?)```", Pattern.DOTALL).matcher(section());
    while (block.find()) {
      recipes.add(block.group(1));
    }
    assertThat(recipes).hasSizeGreaterThan(5);
    return recipes;
  }

  private static String section() throws IOException {
    return Files.readString(PAGE).split("\n## Recipes\n")[1].split("\n## ")[0];
  }

  @ParameterizedTest
  @MethodSource("recipes")
  void everyRecipeIsAValidConfigurationThatChangesAPolicy(String recipe) throws Exception {
    for (String list : List.of("members.txt", "banned.txt", "friends.txt", "paid.txt")) {
      Files.writeString(directory.resolve(list), "# comment\n" + ALICE + " # alice\n");
    }
    String text = recipe.replace("npub1…", ALICE).replace("file:/var/lib/payments/", "file:");
    Path file = Files.writeString(directory.resolve("gambit.conf"), text);
    Settings settings =
        Settings.read(ConfigSources.defaults().withFile(file.toString(), file).load());
    Settings defaults = Settings.read(ConfigSources.defaults().load());
    assertThat(
            settings.admission().equals(defaults.admission())
                && settings.reads().equals(defaults.reads()))
        .isFalse();
  }

  /** A program that writes the file anew must not open the relay for a moment. */
  @ParameterizedTest
  @ValueSource(strings = {"admission.writers", "admission.pubkeys", "reads.readers"})
  void emptyFileOfTheOnlyKeysThatMayDoSomethingIsReported(String key) throws IOException {
    Path file = Files.writeString(directory.resolve("members.txt"), "# nobody yet\n");
    assertThatThrownBy(() -> read(Map.of(key, "file:" + file, "reads.auth_kinds", "*")))
        .isInstanceOf(SettingsProblem.class)
        .hasMessageEndingWith("expected a file with at least one item; [] restricts nothing.");
  }

  @Test
  void emptyFileOfRefusedKeysRefusesNobody() throws Exception {
    Path file = Files.writeString(directory.resolve("banned.txt"), "\n");
    Settings settings = read(Map.of("admission.refused_pubkeys", "file:" + file));
    assertThat(settings.admission().authors().refused()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"admission.require_auth=true", "reads.auth_kinds=*"})
  void policiesOnLoginsNeedLogins(String setting) {
    String[] parts = setting.split("=", 2);
    Map<String, String> without =
        Map.of("nips.42", "false", "nips.4", "false", "nips.59", "false", parts[0], parts[1]);
    assertThatThrownBy(() -> read(without))
        .isInstanceOf(SettingsProblem.class)
        .hasMessageContaining("logins (nips.42)");
  }

  private static Settings read(Map<String, String> set) throws SettingsProblem {
    return Settings.read(ConfigSources.defaults().withOverrides(set).load());
  }
}
