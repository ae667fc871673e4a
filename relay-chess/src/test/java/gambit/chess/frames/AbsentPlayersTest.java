package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.ReturningPlayers.MissedEnding;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.nip.StandardNips;
import gambit.core.store.EventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Players without a bound connection: who is asked to log in, and endings that wait. */
class AbsentPlayersTest {
  private static final String GAME_OF_BOB =
      "{\"kinds\":[5000,5001],\"#p\":[\"" + Keys.of("bob").pubkey() + "\"],\"limit\":0}";
  private static final Duration DAY = Duration.ofDays(1);

  private final FaultyStore store = new FaultyStore();
  private TestRelay relay = relay(store);
  private int nonce;

  private static TestRelay relay(EventStore store) {
    return new TestRelay(LimitValues.DEFAULT, store, chess());
  }

  private static ChessFeature chess() {
    return new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE);
  }

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void subscriberOfAPlayersEventsIsAskedToLogInOnceAndServed() {
    relay.close();
    relay = onlyWhenNeeded();
    try (Client alice = relay.connect();
        Client bob = relay.connect();
        Client spectator = relay.connect()) {
      subscribe(spectator, "early", GAME_OF_BOB);
      assertThat(spectator.unreadChallenges()).isZero();
      pair(alice, bob);
      assertThat(spectator.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
      for (int i = 0; i < 3; i++) {
        subscribe(spectator, "again" + i, GAME_OF_BOB);
        subscribe(
            spectator, "moves" + i, "{\"authors\":[\"" + key("bob").pubkey() + "\"],\"limit\":0}");
      }
      assertThat(spectator.unreadChallenges()).isEqualTo(1);
    }
  }

  @Test
  void otherSubscribersAreNotAskedToLogIn() {
    relay.close();
    relay = onlyWhenNeeded();
    try (Client alice = relay.connect();
        Client bob = relay.connect();
        Client audience = relay.connect()) {
      pair(alice, bob);
      subscribe(alice, "opponent", "{\"authors\":[\"" + key("bob").pubkey() + "\"],\"limit\":0}");
      subscribe(audience, "all", "{\"kinds\":[20302],\"limit\":0}");
      subscribe(audience, "carol", "{\"#p\":[\"" + key("carol").pubkey() + "\"],\"limit\":0}");
      assertThat(alice.unreadChallenges()).as("of a player").isZero();
      assertThat(audience.unreadChallenges()).as("of who names no player").isZero();
    }
  }

  @Test
  void loggedInClientIsNotAskedAgain() {
    try (Client alice = relay.connect();
        Client bob = relay.connect();
        Client carol = relay.connect()) {
      carol.login(relay.now(), key("carol"));
      pair(alice, bob);
      subscribe(carol, "bob", GAME_OF_BOB);
      assertThat(carol.unreadChallenges()).isZero();
    }
  }

  @Test
  void playerWhoseBoundConnectionClosesIsAskedOnAnotherOne() {
    relay.close();
    relay = onlyWhenNeeded();
    try (Client alice = relay.connect();
        Client bob = relay.connect();
        Client again = relay.connect()) {
      subscribe(again, "game", GAME_OF_BOB);
      pair(alice, bob);
      again.next(); // gameisfound
      assertThat(again.unreadChallenges()).as("there is a bound connection").isZero();
      bob.leave();
      again.login(relay.now(), key("bob"));
      assertThat(again.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
    }
  }

  @Test
  void endingWaitsAcrossARestart() {
    abandon();
    relay.close();
    relay = relay(store);
    try (Client back = relay.connect()) {
      JsonNode ending = connect(back, "bob").get(0);
      assertThat(ending.get(1).asInt()).isEqualTo(5000);
      assertThat(ending.get(2).get("content").asText()).isEqualTo("gamelost");
    }
    await().until(() -> rows().isEmpty());
    relay.close();
    relay = relay(store);
    try (Client back = relay.connect()) {
      assertThat(connect(back, "bob")).as("only the answer").hasSize(1);
    }
  }

  @Test
  void endingIsDroppedAfterADay() {
    abandon();
    relay.time().advance(DAY);
    try (Client back = relay.connect()) {
      assertThat(connect(back, "bob")).as("only the answer").hasSize(1);
    }
    await().until(() -> rows().isEmpty());
  }

  @Test
  void endingWaitsForAlmostADay() {
    abandon();
    relay.time().advance(DAY.minusSeconds(1));
    try (Client back = relay.connect()) {
      assertThat(connect(back, "bob")).as("the ending and the answer").hasSize(2);
    }
  }

  @Test
  void endingIsDroppedAtAStartAfterADay() {
    abandon();
    Instant later = relay.time().instant().plus(DAY);
    relay.close();
    relay = new TestRelay(store, later, chess());
    await().until(() -> rows().isEmpty());
  }

  @Test
  void endingWhoseRowCannotBeRemovedIsSentOnceAndItsRowRemovedLater() {
    abandon();
    try (Client back = relay.connect()) {
      back.login(relay.now(), key("bob"));
      store.setRowRemovalsFail(true);
      subscribe(back, "game", GAME_OF_BOB);
      assertThat(back.nextJson().get(2).get("content").asText()).isEqualTo("gamelost");
      relay.time().awaitAlarms(1); // to try again
      store.setRowRemovalsFail(false);
      relay.time().advance(Duration.ofSeconds(1));
      await().until(() -> rows().isEmpty());
      assertThat(connect(back, "bob").get(0).get(0).asText()).isEqualTo("OK");
    }
  }

  /** Bob's connection breaks in a game with Alice, and the grace ends. */
  private void abandon() {
    try (Client alice = relay.connect();
        Client bob = relay.connect()) {
      pair(alice, bob);
      alice.publishAccepted(event("alice", 5001, "e2e4"));
      bob.next();
      bob.publishAccepted(event("bob", 5001, "e7e5"));
      bob.leave();
      alice.next();
      relay.time().awaitAlarms(2); // the game's, and the grace
      relay.time().advance(ChessSettings.DEFAULT.abandonGrace());
      assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("opponentresigned");
      await().until(() -> rows().size() == 1); // the ending that has reached Alice is forgotten
    }
  }

  private Map<String, byte[]> rows() {
    return store.rows(MissedEnding.TABLE);
  }

  /** Sends a connect, and returns the frames up to its answer. */
  private List<JsonNode> connect(Client client, String player) {
    client.publish(event(player, 5000, "connect"));
    return client.until("OK");
  }

  private void pair(Client alice, Client bob) {
    alice.publishAccepted(event("alice", 5000, "connect"));
    bob.publishAccepted(event("bob", 5000, "connect"));
    alice.until("OK");
    bob.until("OK");
  }

  private static void subscribe(Client client, String name, String filter) {
    client.send("[\"REQ\",\"" + name + "\"," + filter + "]");
    client.until("EOSE");
  }

  private static TestRelay onlyWhenNeeded() {
    return new TestRelay(new StandardNips(Set.of(), false, 0), chess());
  }

  private static Signer key(String person) {
    return Keys.of(person);
  }

  private Event event(String person, int kind, String content) {
    Tags tags = new Tags(List.of(List.of("nonce", "" + nonce++)));
    return key(person).sign(relay.now(), kind, tags, content);
  }
}
