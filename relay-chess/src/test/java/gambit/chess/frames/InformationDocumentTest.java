package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.game.TimeControl;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.runtime.ChessSettings;
import gambit.chess.session.runtime.SimultaneousGames;
import gambit.core.testkit.Client;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InformationDocumentTest {
  @Test
  void informationDocumentDescribesTheChessSettings() {
    ChessSettings settings =
        new ChessSettings(
            Duration.ofSeconds(61),
            Duration.ofSeconds(62),
            Duration.ofSeconds(31),
            Duration.ZERO,
            TimeControl.parse("300+3").orElseThrow(),
            true,
            SimultaneousGames.NONE);
    try (TestRelay relay = new TestRelay(new ChessFeature(settings))) {
      JsonNode document = relay.information();
      assertThat(document.get("chess"))
          .isEqualTo(
              Client.parse(
                  """
                  {
                    "dialects": ["nip100", "ephemeral"],
                    "default_time": "300+3",
                    "max_clock_skew": 61,
                    "abandon_grace": 62,
                    "first_move_limit": 31,
                    "require_auth": true
                  }
                  """));
      assertThat(document.get("supported_nips").toString()).contains("64");
      assertThat(document.get("self").asText()).isEqualTo(relay.signer().pubkey().hex());
    }
  }
}
