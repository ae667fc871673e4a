package gambit.app.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.SettingsProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sections of the policies require of lists in files, and of each other. */
class PolicySectionsTest {
  @TempDir Path directory;

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
  @ValueSource(strings = {"admission.require_auth=true", "reads.auth_kinds=*", "members.read=true"})
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
