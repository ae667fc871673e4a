package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ephemeral events where logins are required, and where they are optional. */
class EphemeralLoginTest {
  private static final Signer ALICE = Keys.of("alice");

  @Test
  void requiredLoginIsNeededBeforeTheSameEventIsAccepted() {
    try (TestRelay relay = relay(RequiredSettings.of(ChessSettings.DEFAULT, true, false, 50));
        Client client = relay.connect()) {
      Event play = event(relay, 20300, "");
      String refusal = "auth-required: players have to log in here";
      assertThat(client.answerTo(play)).isEqualTo(refusal);
      assertThat(client.answerTo(event(relay, 20303, "quit"))).isEqualTo(refusal);
      client.login(relay.now(), ALICE);
      client.publishAccepted(play);
      client.publishAccepted(event(relay, 20303, "quit"));
    }
  }

  @Test
  void loginBindsTheConnectionToARunningGame() {
    try (TestRelay relay = relay(ChessSettings.DEFAULT);
        Client first = relay.connect();
        Client second = relay.connect()) {
      first.publishAccepted(event(relay, 20300, ""));
      Event quit = event(relay, 20303, "quit");
      assertThat(second.answerTo(quit)).as("refused in a 20304").isEmpty();
      second.login(relay.now(), ALICE);
      second.publishAccepted(quit);
      assertThat(first.answerTo(event(relay, 20300, "")))
          .isEqualTo("invalid: already used, sign a new event");
    }
  }

  private static TestRelay relay(ChessSettings settings) {
    return new TestRelay(new ChessFeature(settings, ChosenLots.FIRST_IS_WHITE));
  }

  private static Event event(TestRelay relay, int kind, String content) {
    Tags tags = new Tags(List.of(List.of("p", relay.signer().pubkey().hex())));
    return ALICE.sign(relay.now(), kind, tags, content);
  }
}
