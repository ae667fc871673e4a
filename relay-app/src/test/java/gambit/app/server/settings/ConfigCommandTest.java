package gambit.app.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.server.config.ConfigText;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gambit config}: what it prints, and its exit status. */
class ConfigCommandTest {
  @TempDir Path data;

  @Test
  void showPrintsASampleOfAllSettings() {
    CommandResult result = CommandResult.of("config", "show");
    assertThat(result.status()).isZero();
    assertThat(result.output()).isEqualTo(ConfigText.sample().strip());
  }

  @Test
  void showEffectivePrintsTheValuesAndWhatSetsThem() throws Exception {
    Path file = Files.writeString(data.resolve("gambit.conf"), "relay.name = Mine");
    CommandResult result =
        CommandResult.of("config", "show", "--effective", "--data", "" + data, "--port", "7000");
    assertThat(result.status()).isZero();
    assertThat(result.output().lines())
        .containsSequence("# " + file + ", line 1", "relay.name = \"Mine\"")
        .containsSequence("# --port", "relay.port = 7000");
  }

  @Test
  void checkReportsTheFirstFaultWithStatusOne() throws Exception {
    Path file = Files.writeString(data.resolve("gambit.conf"), "\nrelay.url = [ \"http://x\" ]");
    String sentence =
        file + ", line 2: relay.url = http://x: http://x is not a ws:// or wss:// URL.";
    for (CommandResult result :
        new CommandResult[] {
          CommandResult.of("config", "check", "" + file),
          CommandResult.of("config", "check", "--data", "" + data),
          CommandResult.of("config", "show", "--effective", "--config", "" + file)
        }) {
      assertThat(result).isEqualTo(new CommandResult(1, "", sentence));
    }
    assertThat(CommandResult.of("config", "check", "" + data.resolve("none")))
        .isEqualTo(
            new CommandResult(
                1, "", "gambit config check: " + data.resolve("none") + " does not exist."));
  }

  @Test
  void checkNamesTheFilesOfAValidConfiguration() throws Exception {
    Path file = Files.writeString(data.resolve("gambit.conf"), "relay.name = Mine");
    assertThat(CommandResult.of("config", "check", "" + file))
        .isEqualTo(
            new CommandResult(
                0, "Valid: " + file + "; settings that differ from the defaults: 1.", ""));
    assertThat(CommandResult.of("config", "check", "--data", "" + data.resolve("none")).output())
        .isEqualTo(
            "Valid, without a configuration file; settings that differ from the defaults: 0.");
  }
}
