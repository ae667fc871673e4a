package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.session.ChessSettings;
import gambit.core.session.Limits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
  @Test
  void theDefaultsOfTheConfigurationAreThoseOfTheLibraries() throws CannotStart {
    Settings settings = Settings.of(Map.of(), List.of());
    assertThat(settings.limits()).isEqualTo(Limits.DEFAULT);
    assertThat(settings.chess()).isEqualTo(ChessSettings.DEFAULT);
    assertThat(settings.urls()).isEmpty();
  }

  @Test
  void whatIsSetTakesTheirPlace() throws CannotStart {
    Settings settings =
        Settings.of(
            Map.of("limits.filters", "7", "chess.abandon_grace", "2m", "relay.name", "Other"),
            List.of("wss://a.example", "wss://b.example"));
    assertThat(settings.limits().filters()).isEqualTo(7);
    assertThat(settings.chess().abandonGrace()).hasMinutes(2);
    assertThat(settings.name()).isEqualTo("Other");
    assertThat(settings.urls()).containsExactly("wss://a.example", "wss://b.example");
  }
}
