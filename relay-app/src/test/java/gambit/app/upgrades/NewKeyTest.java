package gambit.app.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.LocalRelay;
import gambit.app.tool.verify.VerifyResult;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay whose key is lost, and which is started with a new one; docs/operations/keys.md. */
class NewKeyTest {
  @TempDir Path data;

  private void loseKey() throws Exception {
    Files.delete(data.resolve("relay.key"));
  }

  /** The relay's public key, from NIP-11. */
  private static String keyOf(LocalRelay relay) {
    URI url = relay.uri();
    return Client.parse(Client.httpRequest("GET", url, "application/nostr+json").body())
        .get("self")
        .asText();
  }

  @Test
  void gamesThatRunContinueUnderTheNewKeyAndOnlyEarlierRecordsAreVerified() throws Exception {
    String oldKey;
    String finished;
    JsonNode running;
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      oldKey = keyOf(relay);
      try (SocketPlayer dave = new SocketPlayer("dave", relay.uri());
          SocketPlayer erin = new SocketPlayer("erin", relay.uri())) {
        finished = id(StoredContents.play(dave, erin, StoredContents.MATE));
        dave.event("gamecheckmate");
      }
      try (SocketPlayer frank = new SocketPlayer("frank", relay.uri());
          SocketPlayer gina = new SocketPlayer("gina", relay.uri())) {
        running = StoredContents.play(frank, gina, StoredContents.OPENING);
      }
    }
    loseKey();
    try (LocalRelay relay = LocalRelay.withNewKey(data)) {
      String newKey = keyOf(relay);
      assertThat(newKey).isNotEqualTo(oldKey);
      StoredContents.Continuation continuation = StoredContents.continueToTheEnd(relay);
      assertThat(continuation.resumed().get("pubkey").asText()).isEqualTo(newKey);
      assertThat(SocketPlayer.tag(continuation.resumed(), "e")).isEqualTo(id(running));
      assertThat(continuation.ending().get("pubkey").asText()).isEqualTo(newKey);
      try (Client client = new Client(relay.uri())) {
        assertThat(authors(client, "{\"ids\":[\"" + id(running) + "\"]}")).containsExactly(oldKey);
        assertThat(authors(client, "{\"kinds\":[64],\"#e\":[\"" + id(running) + "\"]}"))
            .containsExactly(newKey);
        assertThat(authors(client, "{\"kinds\":[64],\"#e\":[\"" + finished + "\"]}"))
            .containsExactly(oldKey);
      }
      assertThat(VerifyResult.of(finished, relay.uri()).status()).isZero();
      VerifyResult ofBothKeys = VerifyResult.of(id(running), relay.uri());
      assertThat(ofBothKeys.status()).isEqualTo(1);
      assertThat(ofBothKeys.output()).contains("The relay has no record of the game");
    }
  }

  @Test
  void invitesArePendingStillAndRequestsThatNameTheOldKeyAreNotForTheRelay() throws Exception {
    String oldKey;
    Event invite;
    try (LocalRelay relay = new LocalRelay(data, 0);
        SocketPlayer frank = new SocketPlayer("frank", relay.uri())) {
      oldKey = keyOf(relay);
      invite = frank.say(5000, "invite", List.of("p", Keys.of("gina").pubkey().hex()));
    }
    loseKey();
    try (LocalRelay relay = LocalRelay.withNewKey(data)) {
      String newKey = keyOf(relay);
      try (SocketPlayer gina = new SocketPlayer("gina", relay.uri())) {
        gina.say(5000, "accept", List.of("e", invite.id().hex()));
        assertThat(gina.event("gameisfound").get("pubkey").asText()).isEqualTo(newKey);
      }
      try (Client alice = new Client(relay.uri())) {
        String keys = "[\"" + oldKey + "\",\"" + newKey + "\"]";
        alice
            .send("[\"REQ\",\"chess\",{\"authors\":" + keys + ",\"kinds\":[20301]}]")
            .until("EOSE");
        alice.publishAccepted(search(oldKey, "malformed, which the referee would answer"));
        alice.publishAccepted(search(newKey, "300"));
        List<JsonNode> frames = alice.until("EVENT");
        JsonNode answer = frames.get(frames.size() - 1).get(2);
        assertThat(answer.get("content").asText()).isEqualTo("queued");
        assertThat(answer.get("pubkey").asText()).isEqualTo(newKey);
      }
    }
  }

  private static Event search(String relayKey, String time) {
    Tags tags = new Tags(List.of(List.of("p", relayKey), List.of("time", time)));
    return Keys.of("alice").sign(SocketPlayer.now(), 20_300, tags, "");
  }

  private static String id(JsonNode game) {
    return game.get("id").asText();
  }

  private static List<String> authors(Client client, String filter) {
    List<JsonNode> frames = client.send("[\"REQ\",\"authors\"," + filter + "]").until("EOSE");
    return frames.subList(0, frames.size() - 1).stream()
        .map(frame -> frame.get(2).get("pubkey").asText())
        .toList();
  }
}
