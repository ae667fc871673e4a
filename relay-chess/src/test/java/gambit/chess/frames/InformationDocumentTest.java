package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.game.TimeControl;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.SimultaneousGames;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.List;
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
            false,
            7,
            false,
            200,
            100_000,
            SimultaneousGames.NONE);
    try (TestRelay relay = new TestRelay(new ChessFeature(settings))) {
      JsonNode document = relay.information();
      assertThat(document.get("chess"))
          .isEqualTo(
              Client.parse(
                  """
                  {
                    "dialects": ["nip100", "ephemeral", "jester"],
                    "default_time": "300+3",
                    "max_clock_skew": 61,
                    "abandon_grace": 62,
                    "first_move_limit": 31,
                    "require_auth": true,
                    "require_relay_tag": false,
                    "slow_games": 7,
                    "reminders": false,
                    "rated": true
                  }
                  """));
      assertThat(document.get("supported_nips").toString()).contains("64");
      assertThat(document.get("self").asText()).isEqualTo(relay.signer().pubkey().hex());
    }
  }

  @Test
  void changedChessSettingsApplyToConnectedPlayersAndAreInTheDocument() {
    ChessFeature chess = new ChessFeature(ChessSettings.DEFAULT);
    try (TestRelay relay = new TestRelay(chess);
        Client alice = relay.connect();
        Client bob = relay.connect()) {
      chess.change(
          new ChessSettings(
              ChessSettings.DEFAULT.maxClockSkew(),
              Duration.ofSeconds(5),
              Duration.ofSeconds(7),
              Duration.ZERO,
              TimeControl.parse("300+3").orElseThrow(),
              true,
              false,
              0,
              false,
              200,
              100_000,
              SimultaneousGames.NONE));
      relay.change(settings -> settings);
      assertThat(relay.information().at("/chess/default_time").asText()).isEqualTo("300+3");
      assertThat(relay.information().at("/chess/require_auth").asBoolean()).isTrue();
      assertThat(relay.information().at("/chess/slow_games").asInt(-1)).isZero();
      Signer player = Keys.of("alice");
      assertThat(alice.answerTo(player.sign(relay.now(), 5000, Tags.NONE, "connect")))
          .startsWith("auth-required:");
      chess.change(RequiredSettings.of(chess.settings(), false, false, 0));
      Tags untimed = new Tags(List.of(List.of("time", "-")));
      assertThat(alice.answerTo(player.sign(relay.now(), 5000, untimed, "invite")))
          .isEqualTo("restricted: slow games are switched off here");
      alice.publish(player, relay.now() + 1, 5000, "connect");
      bob.publish(Keys.of("bob"), relay.now() + 1, 5000, "connect");
      assertThat(String.valueOf(bob.until("EVENT"))).contains("300+3");
    }
  }

  @Test
  void clockSkewCannotChangeBecauseEventsSeenAreRememberedByIt() {
    ChessFeature chess = new ChessFeature(ChessSettings.DEFAULT);
    ChessSettings other =
        new ChessSettings(
            Duration.ofSeconds(61),
            Duration.ofSeconds(5),
            Duration.ofSeconds(7),
            Duration.ZERO,
            TimeControl.TEN_MINUTES_A_MOVE,
            true,
            false,
            7,
            false,
            200,
            100_000,
            SimultaneousGames.NONE);
    assertThatThrownBy(() -> chess.change(other)).isInstanceOf(IllegalArgumentException.class);
    assertThat(chess.settings()).isEqualTo(ChessSettings.DEFAULT);
  }
}
