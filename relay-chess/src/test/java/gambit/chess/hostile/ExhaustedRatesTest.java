package gambit.chess.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.TestPlayer;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.AwaitedMoves;
import gambit.chess.session.play.ChessSettings;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.testkit.TestRelay;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A player who has used up the rate limits may still play the awaited legal move, and nothing else.
 */
class ExhaustedRatesTest {
  private static final String WAIT = "false rate-limited: slow down, wait \\d{3,4} s";
  private static final String ANOTHER_RELAY = "false invalid: this event is for another relay";
  private static final String GAME = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f6e4";

  /** So many events an hour, of an address and of a player. */
  private static final List<RateLimits> RATES =
      List.of(
          new RateLimits(Map.of(Verb.EVENT, Rate.parse("4/h")), Map.of()),
          new RateLimits(Map.of(), Map.of(Verb.EVENT, Rate.parse("2/h"))));

  @Test
  void awaitedMoveOfNip100IsExemptFromRateLimits() {
    for (RateLimits rates : RATES) {
      try (TestRelay relay = relay(rates);
          TestPlayer alice = new TestPlayer("alice", relay);
          TestPlayer bob = new TestPlayer("bob", relay)) {
        pair(alice, bob);
        TestPlayer turn = alice;
        for (String move : GAME.split(" ")) {
          TestPlayer other = turn == alice ? bob : alice;
          assertThat(other.say(5001, move)).as("out of turn").matches(WAIT);
          assertThat(turn.say(5001, "a1h8")).as("illegal").matches(WAIT);
          assertThat(turn.say(5003, "resign")).matches(WAIT);
          assertThat(turn.say(5001, move)).isEqualTo("true");
          turn = other;
        }
        assertThat(alice.events()).extracting(it -> it.get("content").asText()).hasSize(6);
      }
    }
  }

  @Test
  void awaitedMoveOfTheEphemeralDialectIsExemptFromRateLimits() {
    for (RateLimits rates : RATES) {
      try (TestRelay relay = relay(rates);
          TestPlayer alice = new TestPlayer("alice", relay);
          TestPlayer bob = new TestPlayer("bob", relay)) {
        for (TestPlayer person : List.of(alice, bob)) {
          person.follows("{\"kinds\":[20302]}");
          assertThat(person.answerTo(person.signToServer(20300, ""))).isEqualTo("true");
          assertThat(person.answerTo(person.signToServer(20303, "a1h8"))).isEqualTo("true");
        }
        TestPlayer turn = alice;
        for (String move : GAME.split(" ")) {
          TestPlayer other = turn == alice ? bob : alice;
          assertThat(other.answerTo(other.signToServer(20303, move))).matches(WAIT);
          assertThat(turn.answerTo(turn.signToServer(20303, "a1h8"))).matches(WAIT);
          assertThat(turn.answerTo(turn.signToServer(20303, move))).isEqualTo("true");
          turn = other;
        }
        List<JsonNode> states = alice.events();
        assertThat(TestPlayer.tag(states.get(states.size() - 1), "ply")).isEqualTo("10");
      }
    }
  }

  @Test
  void moveForAnotherGameOrPlyIsNotAwaited() {
    try (TestRelay relay = relay(RATES.get(1));
        TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      String game = pair(alice, bob);
      assertThat(alice.say(5001, "e2e4", List.of("ply", "3"))).matches(WAIT);
      assertThat(alice.say(5001, "e2e4", List.of("e", "ab".repeat(32), "", "root"))).matches(WAIT);
      assertThat(alice.say(5001, "e2e4", List.of("ply", "1"), List.of("e", game, "", "root")))
          .isEqualTo("true");
    }
  }

  @Test
  void exemptionsInOneTurnAreBounded() {
    try (TestRelay relay = relay(RATES.get(1));
        TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      pair(alice, bob);
      List<String> relayTag = List.of("relay", "wss://other.example/");
      Event elsewhere = alice.sign(5001, "d2d4", relayTag);
      for (int i = 1; i < AwaitedMoves.MAX_PER_TURN; i++) {
        assertThat(alice.answerTo(elsewhere)).isEqualTo(ANOTHER_RELAY);
      }
      assertThat(alice.say(5001, "e2e4")).isEqualTo("true");
      assertThat(bob.say(5001, "e7e5")).isEqualTo("true");
      for (int i = 0; i < AwaitedMoves.MAX_PER_TURN; i++) {
        assertThat(alice.answerTo(elsewhere)).isEqualTo(ANOTHER_RELAY);
      }
      assertThat(alice.answerTo(elsewhere)).matches(WAIT);
    }
  }

  private static TestRelay relay(RateLimits rates) {
    ChessFeature chess = new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE);
    return new TestRelay(LimitValues.DEFAULT, rates, TransportSettings.DEFAULT, chess);
  }

  /** Alice has White; all rate limits are used up. */
  private static String pair(TestPlayer alice, TestPlayer bob) {
    for (TestPlayer person : List.of(alice, bob)) {
      assertThat(person.say(5000, "connect")).isEqualTo("true");
      assertThat(person.say(5003, "blah")).isEqualTo("false invalid: not resign");
    }
    bob.event("gameisfound");
    return alice.event("gameisfound").get("id").asText();
  }
}
