package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.model.Tags;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a restart, presences and the lobby are published for the games and invites restored. */
class PresenceAfterRestartTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant LATER = START.plusMillis(90_250);

  private @TempDir Path directory;
  private DiskEventStore store;

  @Test
  void presenceNamesTheTimeAtWhichTheClocksWereResumed() throws IOException {
    try (TestRelay relay = start(START);
        Client alice = relay.connect();
        Client bob = relay.connect()) {
      publish(relay, alice, "alice", "connect", List.of(List.of("time", "300")));
      publish(relay, bob, "bob", "connect", List.of(List.of("time", "300")));
      alice.until("OK");
      bob.until("OK");
      JsonNode before = only(relay, "{\"kinds\":[20306]}");
      assertThat(tag(before, "resumed")).isEmpty();
    }
    store.close();
    try (TestRelay relay = start(LATER)) {
      JsonNode after = only(relay, "{\"kinds\":[20306]}");
      String second = "" + LATER.getEpochSecond();
      assertThat(tag(after, "white")).containsExactly("white", "away", second);
      assertThat(tag(after, "black")).containsExactly("black", "away", second);
      assertThat(tag(after, "watching")).containsExactly("watching", "0");
      assertThat(tag(after, "resumed")).containsExactly("resumed", "" + LATER.toEpochMilli());
      JsonNode lobby = only(relay, "{\"kinds\":[20305]}");
      assertThat(tag(lobby, "playing")).containsExactly("playing", "1");
    }
    store.close();
  }

  @Test
  void restoredInviteIsListedOnceItsAuthorIsBackAndOfAnUnlistedOneOnlyItsId() throws IOException {
    try (TestRelay relay = start(START);
        Client alice = relay.connect()) {
      List<String> expiration = List.of("expiration", "" + LATER.plusSeconds(60).getEpochSecond());
      publish(relay, alice, "alice", "invite", List.of(expiration));
      publish(relay, alice, "alice", "invite", List.of(expiration, List.of("unlisted")));
    }
    store.close();
    try (TestRelay relay = start(LATER);
        Client alice = relay.connect();
        Client carol = relay.connect()) {
      carol.send("[\"REQ\",\"lobby\",{\"kinds\":[20305]}]");
      assertThat(tag(carol.until("EOSE").get(0).get(2), "invite")).isEmpty();
      publish(relay, alice, "alice", "cancelsearch", List.of());
      relay.time().awaitUpdates(1);
      relay.time().advance(Duration.ofSeconds(1));
      JsonNode lobby = carol.nextJson().get(2);
      assertThat(tag(lobby, "invite")).contains(Keys.of("alice").pubkey().hex(), "1/600");
      assertThat(lobby.get("tags")).as("d, one invite, unlisted, playing").hasSize(4);
    }
    store.close();
  }

  private TestRelay start(Instant at) throws IOException {
    store = DiskEventStore.open(directory, InstantSource.fixed(at), 0);
    return new TestRelay(
        store, at, new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  }

  private static void publish(
      TestRelay relay, Client client, String player, String content, List<List<String>> tags) {
    client.publishAccepted(Keys.of(player).sign(relay.now(), 5000, new Tags(tags), content));
  }

  private static JsonNode only(TestRelay relay, String filter) {
    try (Client client = relay.connect()) {
      client.send("[\"REQ\",\"q\"," + filter + "]");
      List<JsonNode> frames = client.until("EOSE");
      assertThat(frames).as("one event and EOSE").hasSize(2);
      return frames.get(0).get(2);
    }
  }

  /** A tag with its name; empty if there is none. */
  private static List<String> tag(JsonNode event, String name) {
    List<String> values = new ArrayList<>();
    for (JsonNode tag : event.get("tags")) {
      if (values.isEmpty() && tag.get(0).asText().equals(name)) {
        tag.forEach(value -> values.add(value.asText()));
      }
    }
    return values;
  }
}
