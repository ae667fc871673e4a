package gambit.chess.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RepeatedRuns;
import gambit.core.testkit.TestRelay;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/**
 * Simultaneous requests in two dialects: there is one outcome, and everyone is sent the same one.
 */
class MixedDialectRacesTest {
  private final TestRelay relay =
      new TestRelay(new ChessFeature(ChessSettings.DEFAULT, ChosenLots.by(new Random(7))));
  private final Client alice = relay.connect();
  private final Client bob = relay.connect();
  private final Client spectator = relay.connect();
  private int nonce;

  @AfterEach
  void end() {
    List.of(alice, bob, spectator).forEach(Client::close);
    relay.close();
  }

  @RepeatedRuns(usual = 3, many = 12)
  void whenBothResignAtOnceInTwoDialectsOneOfThemHasResigned() {
    follow();
    alice.publishAccepted(event("alice", 20300, ""));
    bob.publishAccepted(event("bob", 5000, "connect"));
    bob.until("OK"); // his colour
    String white = spectator.nextJson().at("/2/tags/1/1").asText();
    alice.publish(event("alice", 20303, "resign"));
    bob.publish(event("bob", 5003, "resign"));
    assertThat(alice.nextJson().get(2).asBoolean()).isTrue();
    List<JsonNode> heard = bob.until("OK");
    boolean bobResigned = heard.get(heard.size() - 1).get(2).asBoolean();
    boolean whiteResigned = white.equals(Keys.of(bobResigned ? "bob" : "alice").pubkey().hex());
    String result = whiteResigned ? "0-1" : "1-0";
    assertThat(spectator.next()).contains("[\"result\",\"" + result + "\"]");
    spectator.send("[\"REQ\",\"record\",{\"kinds\":[64]}]");
    assertThat(spectator.next()).contains("[\"result\",\"" + result + "\"]");
    assertThat(spectator.next()).startsWith("[\"EOSE\"");
  }

  @RepeatedRuns(usual = 3, many = 12)
  void whoQuitsWhileAnOpponentComesNeitherWaitsNorPlaysNorHasLost() {
    follow();
    alice.publishAccepted(event("alice", 20300, ""));
    alice.publish(event("alice", 20303, "quit"));
    bob.publish(event("bob", 20300, ""));
    assertThat(alice.nextJson().get(2).asBoolean()).isTrue();
    assertThat(bob.nextJson().get(2).asBoolean()).isTrue();
    await().until(() -> relay.metrics().read("chess_searching") == 1);
    await().until(() -> relay.metrics().read("chess_games") == 0);
    assertThat(bob.answerTo(event("bob", 20303, "quit"))).isEmpty();
    await().until(() -> relay.metrics().read("chess_searching") == 0);
    spectator.send("[\"REQ\",\"records\",{\"kinds\":[64]}]");
    assertThat(spectator.until("EOSE"))
        .as("states, and no record")
        .noneMatch(frame -> frame.get(1).asText().equals("records") && frame.size() == 3);
  }

  private void follow() {
    spectator.send("[\"REQ\",\"states\",{\"kinds\":[20302]}]");
    spectator.until("EOSE");
  }

  private Event event(String person, int kind, String content) {
    List<String> server = List.of("p", relay.signer().pubkey().hex());
    Tags tags = new Tags(List.of(server, List.of("nonce", "" + nonce++)));
    return Keys.of(person).sign(relay.now(), kind, tags, content);
  }
}
