package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.ConnectionBindings;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.SyncClient;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All spectators receive the same state of each game, also after a restart. */
class SpectatorsTest {
  private @TempDir Path directory;
  private final Map<String, Client> players = new HashMap<>();
  private TestRelay relay;
  private int nonce;

  @BeforeEach
  void begin() throws IOException {
    EventStore store = DiskEventStore.open(directory, InstantSource.system(), 0);
    relay =
        new TestRelay(
            LimitValues.DEFAULT,
            store,
            new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  }

  private void restart() throws IOException {
    relay.close();
    players.clear();
    begin();
  }

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void stateHasOneIdForAllSubscribersAcrossTakebackAndRestart() throws IOException {
    pair("alice", "bob");
    Client follower = relay.connect();
    assertThat(states(follower)).hasSize(1);
    play("alice", "e2e4", "bob", "e7e5");
    relay.time().advance(Duration.ofSeconds(7));
    play("alice", "takeback", "bob", "takeback");
    List<JsonNode> followed = new ArrayList<>();
    for (int change = 0; change < 4; change++) {
      followed.add(follower.nextJson().get(2));
    }
    assertThat(followed).extracting(state -> tag(state, "ply")).containsExactly("1", "2", "2", "0");
    assertThat(followed).extracting(state -> state.get("id").asText()).doesNotHaveDuplicates();
    JsonNode last = followed.get(3);
    assertThat(states(relay.connect())).containsExactly(last);
    restart();
    assertThat(states(relay.connect()))
        .extracting(it -> it.get("id"))
        .containsExactly(last.get("id"));
  }

  @Test
  void clocksHaveTheMillisecondAtWhichTheStateBeganAlsoAfterARestart() throws IOException {
    pair("alice", "bob");
    try (Client follower = relay.connect()) {
      states(follower);
      relay.time().advance(Duration.ofMillis(1234));
      play("alice", "e2e4");
      assertThat(began(follower.nextJson().get(2))).isEqualTo(relay.time().millis());
      relay.time().advance(Duration.ofMillis(2345));
      play("bob", "e7e5");
      long answered = relay.time().millis();
      JsonNode last = follower.nextJson().get(2);
      assertThat(began(last)).isEqualTo(answered);
      assertThat(last.get("created_at").asLong()).isEqualTo(answered / 1000);
    }
    long before = relay.time().millis();
    restart();
    assertThat(began(states(relay.connect()).get(0))).isEqualTo(before);
  }

  private static long began(JsonNode state) {
    for (JsonNode tag : state.get("tags")) {
      if (tag.get(0).asText().equals("clock")) {
        return tag.get(3).asLong();
      }
    }
    throw new AssertionError("no clock in " + state);
  }

  @Test
  void gamesThatChangedLastAreListedFirstAcrossARestart() throws IOException {
    String[][] pairs = {{"alice", "bob"}, {"carol", "dave"}, {"erin", "frank"}, {"gina", "hugo"}};
    for (String[] pair : pairs) {
      pair(pair[0], pair[1]);
      relay.time().advance(Duration.ofSeconds(1));
    }
    play("carol", "e2e4");
    List<String> first = List.of("carol", "gina", "erin", "alice");
    assertThat(states(relay.connect())).extracting(SpectatorsTest::white).isEqualTo(keys(first));
    restart();
    assertThat(states(relay.connect())).extracting(SpectatorsTest::white).isEqualTo(keys(first));
    assertThat(states(relay.connect(), ",\"limit\":2"))
        .extracting(SpectatorsTest::white)
        .isEqualTo(keys(first.subList(0, 2)));
  }

  @Test
  void stateFromBeforeARestartMayBeAnswered() throws IOException {
    pair("alice", "bob");
    play("alice", "e2e4", "bob", "e7e5", "bob", "draw");
    String offered = states(relay.connect()).get(0).get("id").asText();
    restart();
    Client follower = relay.connect();
    JsonNode state = states(follower).get(0);
    assertThat(state.get("id").asText()).isEqualTo(offered);
    assertThat(tag(state, "draw")).isEqualTo("black");
    say("alice", 20300, "");
    say("alice", 20303, "draw", "e", offered);
    JsonNode end = follower.nextJson().get(2);
    assertThat(tag(end, "termination")).isEqualTo("agreement");
    assertThat(states(relay.connect())).isEmpty();
    restart();
    assertThat(states(relay.connect())).isEmpty();
  }

  @Test
  void illegalMoveDoesNotChangeTheStateForSpectators() {
    Client follower = relay.connect();
    assertThat(states(follower)).isEmpty();
    for (String player : List.of("alice", "bob")) {
      Event connect = sign(player, 5000, "connect");
      player(player).publishAccepted(connect);
    }
    player("alice").until("OK");
    String start = follower.nextJson().get(2).get("id").asText();
    Event illegal = sign("alice", 5001, "e2e5");
    assertThat(player("alice").answerTo(illegal)).contains("(1 of 2)");
    player("alice").publishAccepted(sign("alice", 5001, "e2e4"));
    assertThat(tag(follower.nextJson().get(2), "ply")).isEqualTo("1");
    assertThat(start).isNotEmpty();
  }

  @Test
  void loggedInPlayerIsNoSpectatorOnAConnectionWithTooManyBindings() {
    pair("alice", "bob");
    String game = tag(states(relay.connect()).get(0), "d");
    player("carol").publishAccepted(sign("carol", 1111, "Black is lost", "E", game));
    try (Client crowded = relay.connect()) {
      for (int i = 0; i < ConnectionBindings.MAX_BINDINGS; i++) {
        crowded.publishAccepted(sign("player " + i, 5000, "cancelsearch"));
      }
      String comments = "{\"kinds\":[1111],\"#E\":[\"" + game + "\"]}";
      assertThat(crowded.queryIds(comments)).hasSize(1);
      crowded.login(relay.now(), Keys.of("alice"));
      assertThat(crowded.queryIds(comments)).isEmpty();
    }
  }

  @Test
  void syncHidesCommentsAsAQueryDoesAndHasNoStates() {
    pair("alice", "bob");
    JsonNode state = states(relay.connect()).get(0);
    String game = tag(state, "d");
    Event outside = sign("carol", 1111, "Black is lost", "E", game);
    Event own = sign("bob", 1111, "good luck", "E", game);
    Event note = sign("carol", 1, "Nf5 wins", "e", game);
    player("carol").publishAccepted(outside);
    player("carol").publishAccepted(note);
    player("bob").publishAccepted(own);
    try (Client reader = relay.connect()) {
      assertThat(comments(reader)).containsExactlyInAnyOrder(outside.id(), note.id());
      assertThat(SyncClient.compare(reader, "{}", List.of()).onlyThere())
          .extracting(EventId::hex)
          .doesNotContain(state.get("id").asText())
          .doesNotContain(own.id().hex())
          .contains(outside.id().hex());
      String list = "\"6100000200\"]";
      assertThat(reader.send("[\"NEG-OPEN\",\"s\",{\"kinds\":[1]}," + list).next())
          .contains(note.id().hex());
      reader.login(relay.now(), Keys.of("alice"));
      assertThat(reader.send("[\"NEG-MSG\",\"s\"," + list).next()).contains("\"closed: ");
      assertThat(comments(reader)).containsExactly(own.id());
    }
  }

  private static Set<EventId> comments(Client reader) {
    return SyncClient.compare(reader, "{\"kinds\":[1,1111]}", List.of()).onlyThere();
  }

  private void pair(String white, String black) {
    try (Client witness = relay.connect()) {
      String player = Keys.of(white).pubkey().hex();
      witness.send("[\"REQ\",\"w\",{\"kinds\":[20302],\"#p\":[\"" + player + "\"]}]").until("EOSE");
      say(white, 20300, "");
      say(black, 20300, "");
      witness.until("EVENT");
    }
  }

  /** Players and their requests, in turns. */
  private void play(String... said) {
    for (int i = 0; i < said.length; i += 2) {
      say(said[i], 20303, said[i + 1]);
    }
  }

  /** Players subscribe to nothing here, so that all they get is the OK. */
  private void say(String player, int kind, String content, String... tag) {
    player(player).publishAccepted(sign(player, kind, content, tag));
  }

  private Event sign(String player, int kind, String content, String... tag) {
    List<List<String>> tags = new ArrayList<>();
    if (tag.length > 0) {
      tags.add(List.of(tag));
    }
    tags.add(List.of("p", relay.signer().pubkey().hex()));
    tags.add(List.of("nonce", "" + nonce++));
    return Keys.of(player).sign(relay.now(), kind, new Tags(tags), content);
  }

  private Client player(String name) {
    return players.computeIfAbsent(name, it -> relay.connect());
  }

  private static List<JsonNode> states(Client client) {
    return states(client, "");
  }

  private static List<JsonNode> states(Client client, String more) {
    client.send("[\"REQ\",\"states\",{\"kinds\":[20302]" + more + "}]");
    List<JsonNode> frames = client.until("EOSE");
    return frames.subList(0, frames.size() - 1).stream().map(frame -> frame.get(2)).toList();
  }

  private static String white(JsonNode state) {
    return tag(state, "p");
  }

  private static List<String> keys(List<String> people) {
    return people.stream().map(person -> Keys.of(person).pubkey().hex()).toList();
  }

  /** The first value of a tag, empty when there is none. */
  private static String tag(JsonNode event, String name) {
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        return tag.get(1).asText();
      }
    }
    return "";
  }
}
