package gambit.chess.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.TestPlayer;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events signed at other times, or for other games or relays, have no effect on a game here. */
class ReplayedEventsTest {
  private static final String UNBOUND = "false auth-required: send connect first";
  private static final String HANDLED =
      "true duplicate: already handled, sign a new event to repeat it";
  private static final String USED = "false invalid: already used, sign a new event";
  private static final String ANOTHER_GAME = "false invalid: this event is for another game";
  private static final String ANOTHER_RELAY = "false invalid: this event is for another relay";

  private final EventStore store = new MemoryEventStore(64 << 20);
  private TestRelay relay = open();
  private TestPlayer alice = new TestPlayer("alice", relay);
  private TestPlayer bob = new TestPlayer("bob", relay);
  private TestPlayer mallory = new TestPlayer("mallory", relay);

  private TestRelay open() {
    return new TestRelay(
        LimitValues.DEFAULT,
        store,
        new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  }

  /** The relay ends and is started again; everybody connects again. */
  private void restart() {
    relay.close();
    relay = open();
    alice = new TestPlayer("alice", relay);
    bob = new TestPlayer("bob", relay);
    mallory = new TestPlayer("mallory", relay);
  }

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void resignationEndsNoLaterGameEvenAfterARestart() {
    pair();
    Event resign = alice.sign(5003, "resign");
    assertThat(alice.answerTo(resign)).isEqualTo("true resigned");
    pair();
    assertThat(alice.answerTo(resign)).isEqualTo(HANDLED);
    assertThat(mallory.answerTo(resign)).isEqualTo(HANDLED);
    restart();
    comeBack();
    assertThat(alice.answerTo(resign)).isEqualTo(HANDLED);
    assertGoesOn();
  }

  @Test
  void deletedResignationEndsNoLaterGame() {
    pair();
    Event resign = alice.sign(5003, "resign");
    assertThat(alice.answerTo(resign)).isEqualTo("true resigned");
    assertThat(alice.say(5, "", List.of("e", resign.id().hex()))).isEqualTo("true");
    pair();
    assertThat(alice.answerTo(resign)).isEqualTo(HANDLED);
    restart();
    comeBack();
    assertThat(alice.answerTo(resign))
        .isEqualTo("false blocked: the event was deleted by its author");
    assertGoesOn();
  }

  @Test
  void abortEndsNoLaterGameEvenAfterARestart() {
    for (String word : List.of("abort", "cancelsearch")) {
      pair();
      Event event = bob.sign(5000, word);
      assertThat(bob.answerTo(event)).isEqualTo("true");
      assertThat(bob.say(5000, "cancelsearch")).isEqualTo("true");
      assertThat(alice.say(5000, "cancelsearch")).isEqualTo("true");
      pair();
      assertThat(bob.answerTo(event)).isEqualTo(HANDLED);
      assertThat(mallory.answerTo(event)).isEqualTo(HANDLED);
      restart();
      assertThat(mallory.answerTo(event)).isEqualTo(HANDLED);
      comeBack();
      assertThat(bob.answerTo(event)).isEqualTo(HANDLED);
      assertGoesOn();
      assertThat(bob.say(5003, "resign")).isEqualTo("true resigned");
    }
  }

  @Test
  void connectStartsOneSearchAndBindsNoOtherConnection() {
    Event connect = alice.sign(5000, "connect");
    assertThat(alice.answerTo(connect)).isEqualTo("true");
    assertThat(mallory.answerTo(connect)).isEqualTo(HANDLED);
    assertThat(mallory.answerTo(alice.sign(5003, "resign"))).isEqualTo(UNBOUND);
    assertThat(alice.say(5000, "cancelsearch")).isEqualTo("true");
    assertThat(alice.answerTo(connect)).isEqualTo(USED);
    assertThat(mallory.answerTo(connect)).isEqualTo(USED);
    restart();
    assertThat(mallory.answerTo(connect)).isEqualTo(USED);
    assertThat(bob.say(5000, "connect")).isEqualTo("true");
    assertThat(bob.events()).as("there is nobody to play with").isEmpty();
  }

  @Test
  void ephemeralMoveOrResignationTakesEffectOnceEvenAfterARestart() {
    pairOnServer();
    Event move = alice.signToServer(20303, "e2e4");
    assertThat(alice.answerTo(move)).isEqualTo("true");
    assertThat(mallory.answerTo(move)).isEqualTo(HANDLED);
    Event resign = alice.signToServer(20303, "resign");
    assertThat(alice.answerTo(resign)).isEqualTo("true");
    pairOnServer();
    assertThat(alice.answerTo(resign)).isEqualTo(HANDLED);
    assertThat(alice.answerTo(move)).isEqualTo(HANDLED);
    restart();
    assertThat(mallory.answerTo(move)).isEqualTo(HANDLED);
    assertThat(alice.answerTo(alice.signToServer(20300, ""))).isEqualTo("true");
    assertThat(alice.answerTo(resign)).isEqualTo(HANDLED);
    assertThat(alice.answerTo(move)).isEqualTo(HANDLED);
    assertThat(TestPlayer.tag(state(), "ply")).isEqualTo("0");
  }

  @Test
  void eventFreshElsewhereIsStaleAMinuteLater() {
    pair();
    Event resign = alice.sign(5003, "resign");
    Event toServer = alice.signToServer(20303, "resign");
    relay.time().advance(Duration.ofSeconds(15));
    play();
    relay.time().advance(Duration.ofSeconds(46));
    String stale = "false invalid: created_at is more than 60 s from the relay's clock";
    assertThat(alice.answerTo(resign)).isEqualTo(stale);
    assertThat(alice.answerTo(toServer)).isEqualTo(stale);
    assertGoesOn();
  }

  @Test
  void eventsUpToAMinuteOffAreFresh() {
    assertThat(alice.answerTo(signAt(relay.now() - 60, 5000, "cancelsearch", List.of())))
        .isEqualTo("true");
    assertThat(alice.answerTo(signAt(relay.now() + 60, 5000, "cancelsearch", List.of())))
        .isEqualTo("true");
    String stale = "false invalid: created_at is more than 60 s from the relay's clock";
    assertThat(alice.answerTo(signAt(relay.now() - 61, 5000, "cancelsearch", List.of())))
        .isEqualTo(stale);
  }

  @Test
  void eventsForAnotherRelayOrGameHaveNoEffect() {
    List<String> elsewhere = List.of("relay", "wss://other.example/");
    List<String> here = List.of("relay", TestRelay.URL);
    List<String> root = List.of("e", "ab".repeat(32), "", "root");
    String game = pair();
    for (TestPlayer player : List.of(alice, bob)) {
      assertThat(player.say(5000, "abort", elsewhere)).isEqualTo(ANOTHER_RELAY);
      assertThat(player.say(5000, "cancelsearch", elsewhere)).isEqualTo(ANOTHER_RELAY);
      assertThat(player.say(5000, "connect", elsewhere)).isEqualTo(ANOTHER_RELAY);
      assertThat(player.say(5003, "resign", elsewhere)).isEqualTo(ANOTHER_RELAY);
      assertThat(player.say(5001, "e2e5", elsewhere)).isEqualTo(ANOTHER_RELAY);
      assertThat(player.answerTo(player.signToServer(20303, "resign", elsewhere)))
          .isEqualTo(ANOTHER_RELAY);
      assertThat(player.say(5000, "abort", root)).isEqualTo(ANOTHER_GAME);
      assertThat(player.say(5003, "resign", root)).isEqualTo(ANOTHER_GAME);
      assertThat(player.say(5001, "e2e5", root)).isEqualTo(ANOTHER_GAME);
    }
    assertThat(alice.say(5002, "claim", elsewhere, here))
        .as("for this relay, too")
        .isEqualTo("false invalid: nothing to claim");
    assertGoesOn();
    List<String> thisGame = List.of("e", game, "", "root");
    assertThat(alice.say(5003, "resign", here, thisGame)).isEqualTo("true resigned");
  }

  @Test
  void strangersEventsThatNameTheGameHaveNoEffect() {
    String game = pair();
    List<String> root = List.of("e", game, "", "root");
    List<String> server = List.of("d", game);
    assertThat(mallory.say(5001, "e2e4", root)).isEqualTo(UNBOUND);
    assertThat(mallory.say(5003, "resign", root)).isEqualTo(UNBOUND);
    assertThat(mallory.answerTo(mallory.signToServer(20303, "e2e4", server))).isEqualTo("true");
    assertThat(mallory.say(5000, "abort", root)).isEqualTo(ANOTHER_GAME);
    assertThat(mallory.say(5000, "connect", root)).isEqualTo(ANOTHER_GAME);
    assertThat(mallory.say(5000, "connect")).isEqualTo("true");
    TestPlayer trent = new TestPlayer("trent", relay);
    assertThat(trent.say(5000, "connect")).isEqualTo("true");
    mallory.event("gameisfound");
    for (String word : List.of("e2e4", "e7e5")) {
      assertThat(mallory.say(5001, word, root)).isEqualTo(ANOTHER_GAME);
    }
    for (String word : List.of("offer", "accept", "decline", "claim", "takeback")) {
      assertThat(mallory.say(5002, word, root)).isEqualTo(ANOTHER_GAME);
    }
    assertThat(mallory.say(5003, "resign", root)).isEqualTo(ANOTHER_GAME);
    mallory.follows("{\"kinds\":[20304],\"#p\":[\"" + mallory.pubkey() + "\"]}");
    for (String word : List.of("e2e4", "resign", "quit", "draw", "takeback")) {
      Event event = mallory.signToServer(20303, word, server);
      assertThat(mallory.answerTo(event)).isEqualTo("true");
      JsonNode error = mallory.event("this event is for another game");
      assertThat(TestPlayer.tag(error, "e")).isEqualTo(event.id().hex());
      assertThat(error.toString()).doesNotContain(game).doesNotContain(alice.pubkey());
    }
    assertGoesOn();
    assertThat(trent.say(5003, "resign")).as("Mallory's own game").isEqualTo("true resigned");
  }

  @Test
  void eventsWithoutThePlayersSignatureAreRefused() {
    pair();
    Event real = mallory.sign(5003, "resign");
    Event claimed = unsigned(real, PubKey.ofHex(alice.pubkey()));
    assertThat(mallory.answerTo(claimed))
        .isEqualTo("false invalid: the id is not the hash of the event");
    for (Event event :
        List.of(
            alice.sign(5003, "resign"),
            alice.sign(5001, "e2e4"),
            alice.sign(5000, "abort"),
            alice.signToServer(20303, "quit"))) {
      Event forged = unsigned(event, event.pubkey());
      assertThat(mallory.answerTo(forged))
          .isEqualTo("false invalid: the signature does not verify");
      assertThat(alice.answerTo(forged)).isEqualTo("false invalid: the signature does not verify");
    }
    assertGoesOn();
  }

  private static Event unsigned(Event event, PubKey author) {
    return EventEncoder.encode(
        event.id(),
        author,
        event.createdAt(),
        event.kind(),
        event.tags(),
        event.content(),
        new byte[64]);
  }

  @Test
  void playersEventsReplayedByAStrangerHaveNoEffectOnTheGame() {
    pair();
    for (Event event :
        List.of(
            alice.sign(5001, "e2e5"),
            alice.sign(5001, "e2e4"),
            alice.sign(5002, "offer"),
            alice.sign(5003, "resign"))) {
      assertThat(mallory.answerTo(event)).isEqualTo(UNBOUND);
    }
    Event toServer = alice.signToServer(20303, "resign");
    assertThat(mallory.answerTo(toServer)).as("refused in a 20304").isEqualTo("true");
    Event move = alice.sign(5001, "e2e4");
    assertThat(mallory.answerTo(move)).isEqualTo(UNBOUND);
    assertThat(alice.answerTo(move)).as("a stranger does not spoil it").isEqualTo("true");
  }

  @Test
  void strangerCannotUseUpAPlayersEarlyMove() {
    Event connect = signAt(relay.now() + 90, 5000, "connect", List.of());
    String early = "false invalid: created_at is more than 60 s from the relay's clock";
    assertThat(mallory.answerTo(connect)).isEqualTo(early);
    Event invite = bob.sign(5000, "invite");
    Event accept =
        signAt(relay.now() + 60, 5000, "accept", List.of(List.of("e", invite.id().hex())));
    assertThat(mallory.answerTo(accept)).isEqualTo("false invalid: no such invite, or it is over");
    relay.time().advance(Duration.ofSeconds(60));
    assertThat(alice.answerTo(connect)).isEqualTo("true");
    assertThat(bob.answerTo(invite)).isEqualTo("true");
    assertThat(alice.answerTo(accept)).isEqualTo("true");
  }

  /** An event of Alice with another time. */
  private static Event signAt(long time, int kind, String content, List<List<String>> tags) {
    return Keys.of("alice").sign(time, kind, new Tags(tags), content);
  }

  /** Alice has White; returns the game's id. */
  private String pair() {
    for (TestPlayer person : List.of(alice, bob)) {
      assertThat(person.say(5000, "connect")).isEqualTo("true");
    }
    bob.event("gameisfound");
    return alice.event("gameisfound").get("id").asText();
  }

  private void pairOnServer() {
    for (TestPlayer person : List.of(alice, bob)) {
      assertThat(person.answerTo(person.signToServer(20300, ""))).isEqualTo("true");
    }
    await().until(() -> relay.metrics().read("chess_games") == 1); // after the second answer
  }

  private void comeBack() {
    for (TestPlayer person : List.of(alice, bob)) {
      assertThat(person.say(5000, "connect")).isEqualTo("true");
      person.event("gameisfound");
    }
  }

  private void play() {
    assertThat(alice.say(5001, "e2e4")).isEqualTo("true");
    assertThat(bob.say(5001, "e7e5")).isEqualTo("true");
  }

  /**
   * Asserts that the game of Alice and Bob runs, no ending was sent, and no illegal move was
   * counted.
   */
  private void assertGoesOn() {
    assertThat(TestPlayer.tag(state(), "result")).isEmpty();
    TestPlayer turn = TestPlayer.tag(state(), "turn").equals("white") ? alice : bob;
    assertThat(turn.say(5001, "a1a1")).isEqualTo("false invalid: illegal move a1a1 (1 of 2)");
  }

  /** The current state of Alice's game. */
  private JsonNode state() {
    try (TestPlayer follower = new TestPlayer("follower", relay)) {
      follower.follows("{\"kinds\":[20302],\"#p\":[\"" + alice.pubkey() + "\"]}");
      List<JsonNode> states = follower.events();
      assertThat(states).hasSize(1);
      return states.get(0);
    }
  }
}
