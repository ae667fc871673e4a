package gambit.chess.races;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.clients.TestPlayer;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.model.Event;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An event that names no game, and crosses the end or start of one, has no effect on another. */
class CrossingEventsTest {
  private final MemoryEventStore store = new MemoryEventStore(64 << 20);
  private TestRelay relay = relayFrom(Instant.parse("2026-01-01T12:00:00Z"));
  private TestPlayer alice = new TestPlayer("alice", relay);
  private TestPlayer bob = new TestPlayer("bob", relay);

  private TestRelay relayFrom(Instant start) {
    return new TestRelay(
        store, start, new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  }

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void resignationMayHaveBeenMeantForTheSlowGameThatHasJustEnded() {
    String ended = begin("-");
    String other = begin("-");
    assertThat(alice.say(5003, "resign", of(ended))).isEqualTo("true resigned");
    assertThat(bob.say(5003, "resign")).startsWith("false invalid: the game is over: ");
    relay.time().advance(Duration.ofSeconds(60));
    assertThat(bob.say(5001, "e7e5")).as(other).isEqualTo("false invalid: not your turn");
  }

  @Test
  void amongSeveralGamesAnEndedOneHidesNoIds() {
    String ended = begin("-");
    String first = begin("-");
    String second = begin("-");
    assertThat(alice.say(5003, "resign", of(ended))).isEqualTo("true resigned");
    assertThat(bob.say(5003, "resign")).isEqualTo(nameTheGame("an e tag", first, second));
  }

  @Test
  void resignationMayHaveBeenMeantForALiveGameThatEndedBeforeARestart() {
    String slow = begin("-");
    String live = begin("300");
    assertThat(alice.say(5001, "e2e4", of(live))).isEqualTo("true");
    assertThat(bob.say(5001, "e7e5", of(live))).isEqualTo("true");
    assertThat(alice.say(5003, "resign", of(live))).isEqualTo("true resigned");
    Event late = bob.sign(5003, "resign");
    Instant start = relay.time().instant().plusSeconds(5);
    relay.close();
    relay = relayFrom(start);
    alice = new TestPlayer("alice", relay);
    bob = new TestPlayer("bob", relay);
    assertThat(bob.say(5000, "invite")).isEqualTo("true");
    assertThat(bob.answerTo(late)).isEqualTo(nameTheGame("an e tag", slow));
    relay.time().advance(Duration.ofSeconds(60));
    assertThat(bob.say(5003, "resign")).isEqualTo("true resigned");
  }

  @Test
  void eventFromBeforeALiveGameMayHaveBeenMeantForASlowOne() {
    String slow = begin("-");
    Event early = bob.sign(5003, "resign");
    relay.time().advance(Duration.ofSeconds(1));
    String live = begin("300");
    assertThat(bob.answerTo(early)).isEqualTo(nameTheGame("an e tag", slow, live));
    assertThat(bob.say(5003, "resign")).isEqualTo("true resigned");
    assertThat(bob.event("gamelost").toString()).contains(live);
  }

  @Test
  void resignationForAnEarlierStateEndsNoOtherGame() {
    bob.follows("{\"kinds\":[20302,20304],\"#p\":[\"" + bob.pubkey() + "\"]}");
    String slow = begin("-");
    String state = stateOf(slow);
    String live = begin("300");
    assertThat(alice.say(5001, "e2e4", of(slow))).isEqualTo("true");
    assertThat(bob.answerTo(bob.signToServer(20303, "resign", List.of("e", state))))
        .isEqualTo("true");
    bob.event("name the game in a d tag: " + slow + ", " + live);
    assertThat(bob.say(5003, "resign")).isEqualTo("true resigned");
    assertThat(bob.answerTo(bob.signToServer(20303, "resign", List.of("d", slow))))
        .isEqualTo("true");
  }

  private String stateOf(String game) {
    return bob.events().stream()
        .filter(it -> it.get("kind").asInt() == 20302 && TestPlayer.tag(it, "d").equals(game))
        .findFirst()
        .orElseThrow()
        .get("id")
        .asText();
  }

  /** Begins a game of Alice, who has White, with Bob; returns its id. */
  private String begin(String time) {
    List<String> p = List.of("p", bob.pubkey());
    Event invite = alice.sign(5000, "invite", p, List.of("color", "white"), List.of("time", time));
    assertThat(alice.answerTo(invite)).isEqualTo("true");
    assertThat(bob.say(5000, "accept", List.of("e", invite.id().hex()))).isEqualTo("true");
    return bob.event("gameisfound").get("id").asText();
  }

  private static List<String> of(String game) {
    return List.of("e", game, "", "root");
  }

  private static String nameTheGame(String tag, String... games) {
    return "false invalid: name the game in " + tag + ": " + String.join(", ", games);
  }
}
