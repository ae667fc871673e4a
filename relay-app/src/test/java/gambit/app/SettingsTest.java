package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import gambit.chess.session.runtime.ChessSettings;
import gambit.core.limit.Limit;
import gambit.core.limit.Limits;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.StandardNips;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  @Test
  void defaultsOfReferenceConfEqualTheDefaultsInCode() throws StartFailure {
    Settings settings = Settings.of(Map.of(), List.of());
    assertThat(settings.limits()).isEqualTo(Limits.DEFAULT);
    assertThat(settings.chess()).isEqualTo(ChessSettings.DEFAULT);
    assertThat(settings.urls()).isEmpty();
    assertThat(settings.about().get("software")).startsWith("https://");
    assertThat(settings.nips()).isEqualTo(StandardNips.DEFAULT);
    assertThat(settings.admission()).isEqualTo(AdmissionPolicy.EVERYTHING);
  }

  @Test
  void overridesSwitchNipsAndListAuthors() throws StartFailure {
    String alice = "a".repeat(64);
    String bob = "b".repeat(64);
    Settings settings =
        Settings.of(
            Map.of(
                "nips.67",
                "true",
                "nips.45",
                "false",
                "nips.min_difficulty",
                "8",
                "admission.pubkeys",
                alice + "," + bob,
                "admission.kinds",
                ""),
            List.of());
    assertThat(settings.nips()).isEqualTo(new StandardNips(Set.of(45), true, 8));
    assertThat(settings.admission().pubkeys())
        .containsExactlyInAnyOrder(PubKey.ofHex(alice), PubKey.ofHex(bob));
  }

  @Test
  void impossibleOverridesAreReported() {
    assertThatThrownBy(() -> Settings.of(Map.of("nips.42", "false"), List.of()))
        .hasMessage("--set: NIP 4 needs NIP 42.");
    assertThatThrownBy(() -> Settings.of(Map.of("relay.pubkey", "npub1x"), List.of()))
        .hasMessage("--set relay.pubkey: npub1x is not a valid value.");
    assertThatThrownBy(() -> Settings.of(Map.of("nips.1", "false"), List.of()))
        .hasMessage("--set nips.1: no such setting.");
    assertThatThrownBy(() -> Settings.of(Map.of("admission.pubkeys", "npub1x"), List.of()))
        .hasMessage("--set admission.pubkeys: npub1x is not a valid value.");
  }

  @Test
  void overridesReplaceDefaults() throws StartFailure {
    Settings settings =
        Settings.of(
            Map.of("limits.filters", "7", "chess.abandon_grace", "2m", "relay.name", "Other"),
            List.of("wss://a.example", "wss://b.example"));
    assertThat(settings.limits().get(Limit.FILTERS)).isEqualTo(7);
    assertThat(settings.chess().abandonGrace()).hasMinutes(2);
    assertThat(settings.about()).containsEntry("name", "Other").containsEntry("icon", "");
    assertThat(settings.urls()).containsExactly("wss://a.example", "wss://b.example");
  }

  @ParameterizedTest
  @CsvSource({"admission.kinds, x", "admission.kinds, 1.5", "nips.min_difficulty, 8.5"})
  void fractionsAndTextAreReportedWhereAWholeNumberIsRequired(String key, String value) {
    assertThatThrownBy(() -> Settings.of(Map.of(key, value), List.of()))
        .hasMessage("--set " + key + ": " + value + " is not a valid value.");
  }

  @Test
  void maximumOfGamesOfTheHousePlayerIsBounded() throws StartFailure {
    String key = "chess.house.max_games";
    assertThat(Settings.of(Map.of(key, "200"), List.of()).house().bot().maxGames()).isEqualTo(200);
    assertThatThrownBy(() -> Settings.of(Map.of(key, "201"), List.of()))
        .hasMessage("--set: chess.house.max_games is at most 200.");
  }

  /** Each error names the flag and contains no class name. */
  @Test
  void errorsForInvalidValuesContainNoLibraryMessages() {
    List<String> keys =
        ConfigFactory.parseResources("reference.conf").entrySet().stream()
            .map(Map.Entry::getKey)
            .toList();
    assertThat(keys).contains("limits.filters", "transport.proxies", "rates.by_address.http");
    for (String key : keys) {
      for (String value : List.of("x", "-1", "1.5", "9".repeat(30), "99999999999d")) {
        try {
          Settings.of(Map.of(key, value), List.of());
        } catch (StartFailure e) {
          assertThat(e.getMessage())
              .as("%s=%s", key, value)
              .startsWith("--set")
              .endsWith(".")
              .doesNotContain("\n", "null", "Exception", "java.", "typesafe", "For input string");
        }
      }
    }
  }
}
