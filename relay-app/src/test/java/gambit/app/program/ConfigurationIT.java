package gambit.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.GambitProcess;
import gambit.core.model.Nip19;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The layers of the configuration of the packaged program, and what stops its start. */
class ConfigurationIT {
  private static final String NPUB = Nip19.npub(Keys.of("alice").pubkey());

  @TempDir Path data;

  @Test
  void theRelayTakesItsSettingsFromFileVariablesAndOptions() throws Exception {
    Files.writeString(
        data.resolve("gambit.conf"),
        """
        relay { name = File, description = File, contact = File, port = 1, icon = ${WORD} }
        metrics.port = 0
        chess.house.enabled = false
        """);
    Map<String, String> environment =
        Map.of(
            "GAMBIT_DATA", "" + data,
            "GAMBIT_RELAY_DESCRIPTION", "Variable",
            "GAMBIT_RELAY_CONTACT", "Variable",
            "WORD", "Substitution");
    try (GambitProcess relay =
        GambitProcess.relayIn(environment, "--set", "relay.contact=Set", "--port", "0")) {
      JsonNode information =
          Client.parse(Client.httpRequest("GET", relay.url(), "application/nostr+json").body());
      assertThat(information.path("name").asText()).isEqualTo("File");
      assertThat(information.path("description").asText()).isEqualTo("Variable");
      assertThat(information.path("contact").asText()).isEqualTo("Set");
      assertThat(information.path("icon").asText()).isEqualTo("Substitution");
      assertThat(relay.banner().get(3)).isEqualTo("  data        " + data.toAbsolutePath());
      assertThat(data.resolve("relay.key")).exists();
    }
  }

  @Test
  void afaultyConfigurationStopsTheStartWithOneSentenceAndNothingIsCreated() throws Exception {
    Path file = Files.writeString(data.resolve("a.conf"), "limits {\n filterz = 7\n}");
    Path directory = data.resolve("data");
    assertRefused(
        Map.of("GAMBIT_CONFIG", "" + file, "GAMBIT_DATA", "" + directory),
        file + ", line 2: limits.filterz: no such setting; did you mean limits.filters?");
    assertRefused(
        Map.of("GAMBIT_LIMITS_FILTER", "7", "GAMBIT_DATA", "" + directory),
        "GAMBIT_LIMITS_FILTER: no such variable; did you mean GAMBIT_LIMITS_FILTERS?");
    Path banned = Files.writeString(data.resolve("banned.txt"), "# banned\n" + NPUB + "x\n");
    assertRefused(
        Map.of("GAMBIT_ADMISSION_REFUSED_PUBKEYS", "file:" + banned, "GAMBIT_DATA", "" + directory),
        banned
            + ", line 2: "
            + NPUB
            + "x (in admission.refused_pubkeys): this npub has a typing error, or is not complete:"
            + " its checksum does not match.");
    assertThat(directory).doesNotExist();
  }

  @ThoroughOnly
  @Test
  void aSecretKeyInTheWrongSettingIsNotPrinted() throws Exception {
    String secret = Nip19.nsec(new byte[32]);
    Map<String, String> environment =
        Map.of("GAMBIT_STORE_RETENTION", "* " + secret + " forever", "GAMBIT_DATA", "" + data);
    try (GambitProcess program = GambitProcess.runIn(environment)) {
      assertThat(program.exitStatus()).isEqualTo(1);
      assertThat(program.errors())
          .startsWith("GAMBIT_STORE_RETENTION=* nsec1")
          .contains("(not shown) forever: expected public keys")
          .doesNotContain(secret.substring(5, 20));
    }
  }

  @ThoroughOnly
  @Test
  void outputIsInUtf8AlsoWithoutALocale() throws Exception {
    Map<String, String> environment = Map.of("LC_ALL", "C");
    Path file = Files.writeString(data.resolve("a.conf"), "relay.name = \"Schachklub Köln\"");
    try (GambitProcess program =
        GambitProcess.runIn(environment, "config", "show", "--effective", "--config", "" + file)) {
      assertThat(program.exitStatus()).isZero();
      assertThat(program.output()).contains("relay.name = \"Schachklub Köln\"");
    }
    Files.writeString(file, "relay.port = Köln");
    try (GambitProcess program = GambitProcess.runIn(environment, "--config", "" + file)) {
      assertThat(program.exitStatus()).isEqualTo(1);
      assertThat(program.errors()).contains("relay.port = Köln: expected a whole number");
    }
  }

  @ThoroughOnly
  @Test
  void argumentFilesAreReadAndAnUnreadableOneInThemIsReportedInOneSentence() throws Exception {
    Path missing = data.resolve("none");
    Path inner = Files.writeString(data.resolve("inner"), "--data \"" + missing + "\" # no data\n");
    Path file = Files.writeString(data.resolve("args"), "config check --port 7448\n@" + inner);
    try (GambitProcess program = GambitProcess.run("@" + file)) {
      assertThat(program.exitStatus()).isEqualTo(1);
      assertThat(program.errors().strip()).startsWith("--port 7448: relay.port (--port) and ");
    }
    Files.writeString(inner, "@" + data);
    try (GambitProcess program = GambitProcess.run("@" + file)) {
      assertThat(program.exitStatus()).isEqualTo(2);
      assertThat(program.errors().strip())
          .isEqualTo("@" + data + ": this argument file cannot be read.");
    }
  }

  private static void assertRefused(Map<String, String> environment, String sentence)
      throws Exception {
    try (GambitProcess program = GambitProcess.runIn(environment)) {
      assertThat(program.exitStatus()).isEqualTo(1);
      assertThat(program.errors().strip()).isEqualTo(sentence);
      assertThat(program.output()).isEmpty();
    }
  }
}
