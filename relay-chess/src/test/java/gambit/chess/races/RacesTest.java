package gambit.chess.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.TestPlayer;
import gambit.chess.game.Termination;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.RepeatedRuns;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Simultaneous requests over real sockets: there is one outcome, and everyone is sent the same one.
 */
class RacesTest {
  private final TestRelay relay =
      new TestRelay(new ChessFeature(ChessSettings.DEFAULT, ChosenLots.by(new Random(7))));
  private int nonce;

  @AfterEach
  void end() {
    relay.close();
  }

  @RepeatedRuns(usual = 3, many = 12)
  void whenBothResignAtOnceOneOfThemHasResigned() {
    try (Client alice = relay.connect();
        Client bob = relay.connect();
        Client spectator = relay.connect()) {
      pair(alice, bob);
      Event first = event("alice", 5003, "resign");
      Event second = event("bob", 5003, "resign");
      alice.publish(first);
      bob.publish(second);
      boolean aliceResigned = isOk(alice.nextJson(), first, "resigned");
      boolean bobResigned = isOk(bob.nextJson(), second, "resigned");
      assertThat(aliceResigned).isNotEqualTo(bobResigned);
      assertThat((aliceResigned ? bob : alice).next())
          .contains(",false,\"invalid: the game is over: resignation, ");
      spectator.send("[\"REQ\",\"r\",{\"kinds\":[64]}]");
      assertThat(spectator.until("EOSE")).as("one record and EOSE").hasSize(2);
    }
  }

  @RepeatedRuns(usual = 1, many = 6)
  void whoeverConnectsAndCancelsLeavesNothingBehind(int run) {
    int players = 40;
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < players; i++) {
      clients.add(relay.connect());
    }
    Random random = new Random(run);
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < players; i++) {
        String word = random.nextInt(3) > 0 ? "connect" : "cancelsearch";
        clients.get(i).publish(event("player " + i, 5000, word));
      }
    }
    await().until(() -> gamesFound() > 0); // the last word of many players is connect
    int games = 0;
    for (int i = 0; i < players; i++) {
      Event resign = event("player " + i, 5003, "resign");
      Event cancel = event("player " + i, 5000, "cancelsearch");
      clients.get(i).publish(resign).publish(cancel);
      JsonNode frame = clients.get(i).nextJson();
      while (!frame.get(1).asText().equals(cancel.id().hex())) {
        games += frame.path(2).path("content").asText().equals("gameisfound") ? 1 : 0;
        frame = clients.get(i).nextJson();
      }
      assertThat(frame.get(2).asBoolean()).isTrue();
    }
    assertThat(games).as("players who found a game").isPositive();
    clients.forEach(Client::abort);
    await().until(() -> relay.metrics().read("connections") == 0);
    await().until(() -> relay.metrics().read("chess_searching") == 0);
    await()
        .until(
            () -> {
              relay.time().advance(ChessSettings.DEFAULT.abandonGrace());
              return relay.metrics().read("chess_games") == 0;
            });
  }

  private long gamesFound() {
    return relay.metrics().read("chess_games")
        + Stream.of(Termination.values())
            .mapToLong(it -> relay.metrics().read("chess_endings{termination=" + it.word() + "}"))
            .sum();
  }

  @RepeatedRuns(usual = 3, many = 12)
  void whoResignsAndQuitsAtOnceHasResigned() {
    try (Client alice = relay.connect();
        Client bob = relay.connect()) {
      pair(alice, bob);
      alice.publish(event("alice", 5003, "resign"));
      alice.leave();
      assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("opponentresigned");
    }
  }

  @RepeatedRuns(usual = 3, many = 12)
  void whenBothAskForARematchAtOnceTheyPlayOneGame() {
    try (Client alice = relay.connect();
        Client bob = relay.connect()) {
      String game = find(alice, bob);
      alice.publish(event("alice", 5000, "abort"));
      alice.next();
      alice.next();
      bob.next();
      alice.publish(about(game, "alice", 5000, "rematch"));
      bob.publish(about(game, "bob", 5000, "rematch"));
      for (Client player : List.of(alice, bob)) {
        assertThat(player.next()).endsWith(",true,\"\"]");
        assertThat(player.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
        assertThat(player.next()).startsWith("[\"OK\",");
      }
    }
  }

  @RepeatedRuns(usual = 3, many = 12)
  void whenTwoAcceptAnOpenInviteAtOnceOneOfThemPlays() {
    try (Client alice = relay.connect();
        Client bob = relay.connect();
        Client carol = relay.connect()) {
      Event invite = event("alice", 5000, "invite");
      alice.publishAccepted(invite);
      String named = invite.id().hex();
      bob.publish(about(named, "bob", 5000, "accept"));
      carol.publish(about(named, "carol", 5000, "accept"));
      JsonNode first = bob.nextJson();
      boolean bobPlays = first.get(2).asBoolean();
      JsonNode second = carol.nextJson();
      assertThat(second.get(2).asBoolean()).as(first + " and " + second).isNotEqualTo(bobPlays);
      Client plays = bobPlays ? bob : carol;
      assertThat(plays.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
      String game = alice.nextJson().get(2).get("tags").toString();
      assertThat(game).contains(Keys.of(bobPlays ? "bob" : "carol").pubkey().hex());
    }
  }

  @RepeatedRuns(usual = 3, many = 12)
  void whenAnInviteIsAcceptedAndWithdrawnAtOnceOneOfTheTwoIsSo() {
    try (Client alice = relay.connect();
        Client bob = relay.connect()) {
      Event invite = event("alice", 5000, "invite");
      alice.publishAccepted(invite);
      String named = invite.id().hex();
      bob.publish(about(named, "bob", 5000, "accept"));
      alice.publish(about(named, "alice", 5000, "reject"));
      boolean accepted = bob.nextJson().get(2).asBoolean();
      JsonNode answer = alice.nextJson();
      while (answer.size() < 4 || answer.get(1).asText().equals(invite.id().hex())) {
        assertThat(accepted).as(answer.toString()).isTrue();
        answer = alice.nextJson(); // gameisfound and the colour
      }
      assertThat(answer.get(2).asBoolean()).isNotEqualTo(accepted);
    }
  }

  @Test
  void earlyAlarmIsSetAgain() {
    try (Client alice = relay.connect();
        Client bob = relay.connect()) {
      pair(alice, bob);
      bob.abort();
      relay.time().awaitAlarms(2);
      relay.time().runAllAlarms();
      relay.time().awaitAlarms(2);
      relay.time().advance(ChessSettings.DEFAULT.abandonGrace());
      assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("gameaborted");
    }
  }

  @Test
  void inviteWithAnEarlyAlarmMayBeAccepted() {
    try (TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      Event invite = alice.sign(5000, "invite");
      assertThat(alice.answerTo(invite)).isEqualTo("true");
      relay.time().awaitAlarms(1);
      relay.time().runAllAlarms();
      relay.time().awaitAlarms(1);
      assertThat(bob.say(5000, "accept", List.of("e", invite.id().hex()))).isEqualTo("true");
    }
  }

  /** A relay whose clock moves without ringing its alarms. */
  private static TestRelay relayWithoutAlarms(AtomicReference<Instant> clock) {
    return new TestRelay(
        LimitValues.DEFAULT,
        new MemoryEventStore(64 << 20),
        clock::get,
        new ChessFeature(ChessSettings.DEFAULT));
  }

  @Test
  void expiredInviteIsRefusedEvenBeforeItsAlarm() {
    AtomicReference<Instant> clock = new AtomicReference<>(Instant.parse("2026-01-01T12:00:00Z"));
    try (TestRelay late = relayWithoutAlarms(clock);
        TestPlayer alice = new TestPlayer("alice", late);
        TestPlayer bob = new TestPlayer("bob", late)) {
      Event invite = alice.sign(5000, "invite");
      assertThat(alice.answerTo(invite)).isEqualTo("true");
      clock.updateAndGet(now -> now.plusSeconds(60));
      assertThat(bob.say(5000, "accept", List.of("e", invite.id().hex())))
          .isEqualTo("false invalid: no such invite, or it is over");
    }
  }

  @Test
  void expiredRematchIsRefusedAndMayBeRequestedAgain() {
    AtomicReference<Instant> clock = new AtomicReference<>(Instant.parse("2026-01-01T12:00:00Z"));
    try (TestRelay late = relayWithoutAlarms(clock);
        TestPlayer alice = new TestPlayer("alice", late);
        TestPlayer bob = new TestPlayer("bob", late)) {
      assertThat(alice.say(5000, "connect")).isEqualTo("true");
      assertThat(bob.say(5000, "connect")).isEqualTo("true");
      List<String> game = List.of("e", alice.event("gameisfound").get("id").asText());
      assertThat(bob.say(5003, "resign")).isEqualTo("true resigned");
      List<String> soon = List.of("expiration", "" + (late.now() + 10));
      assertThat(alice.say(5000, "rematch", game, soon)).isEqualTo("true");
      late.time().awaitAlarms(1); // which does not ring
      clock.updateAndGet(now -> now.plusSeconds(10));
      assertThat(bob.say(5000, "rematch", game)).isEqualTo("true");
      await().until(() -> late.metrics().read("chess_invites") == 2);
      assertThat(alice.say(5000, "rematch", game)).isEqualTo("true");
      await().until(() -> late.metrics().read("chess_games") == 1);
    }
  }

  @Test
  void inviteOfAVanishedAuthorIsRefusedBeforeItIsRemoved() {
    try (TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      Event invite = alice.sign(5000, "invite");
      assertThat(alice.answerTo(invite)).isEqualTo("true");
      relay.time().advance(Duration.ofSeconds(1));
      for (int i = 0; i < 60; i++) { // newer, and more than go at once
        assertThat(alice.say(1, "note")).isEqualTo("true");
      }
      assertThat(alice.say(62, "", List.of("relay", "ALL_RELAYS"))).isEqualTo("true");
      assertThat(bob.say(5000, "accept", List.of("e", invite.id().hex())))
          .matches("false invalid: (it is over|no such invite, or it is over)");
    }
  }

  @Test
  void chessMetricsFollowEveryChange() {
    try (Client alice = relay.connect();
        Client bob = relay.connect()) {
      alice.publish(event("alice", 5000, "connect"));
      alice.next();
      await().until(() -> relay.metrics().read("chess_searching") == 1);
      alice.publish(event("alice", 5000, "cancelsearch"));
      alice.next();
      await().until(() -> relay.metrics().read("chess_searching") == 0);
      boolean aliceIsWhite = pair(alice, bob);
      await().until(() -> relay.metrics().read("chess_games") == 1);
      (aliceIsWhite ? alice : bob).publish(event(aliceIsWhite ? "alice" : "bob", 5001, "e2e4"));
      await().until(() -> relay.metrics().read("chess_moves") == 1);
      await().until(() -> relay.metrics().read("chess_move_delivery_seconds_count") == 1);
      assertThat(relay.metrics().read("chess_decision_seconds_count")).isGreaterThan(3);
      assertThat(relay.metrics().read("chess_wait_seconds_count")).isGreaterThan(3);
      alice.publish(event("alice", 5003, "resign"));
      await().until(() -> relay.metrics().read("chess_endings{termination=resignation}") == 1);
      await().until(() -> relay.metrics().read("chess_games") == 0);
    }
  }

  @Test
  void twoPlayersMayShareAConnectionAndNobodyPlaysAgainstItself() {
    try (Client both = relay.connect()) {
      Event one = event("alice", 5000, "connect");
      Event two = event("bob", 5000, "connect");
      both.publish(one).publish(two);
      List<String> frames = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        frames.add(both.next());
      }
      assertThat(frames.stream().filter(frame -> frame.startsWith("[\"EVENT\",5000,"))).hasSize(1);
      both.publish(event("alice", 5000, "abort"));
      assertThat(both.next()).endsWith(",true,\"\"]");
      assertThat(both.nextJson().get(2).get("content").asText()).isEqualTo("gameaborted");
      both.publish(event("alice", 5000, "connect"));
      assertThat(both.next()).endsWith(",true,\"\"]");
      both.publish(event("alice", 5000, "connect"));
      assertThat(both.next()).endsWith(",true,\"duplicate: already searching\"]");
    }
  }

  /** Returns whether Alice is White. */
  private boolean pair(Client alice, Client bob) {
    Event connect = event("alice", 5000, "connect");
    alice.publish(connect);
    alice.next();
    bob.publish(event("bob", 5000, "connect"));
    bob.next();
    alice.next();
    bob.next();
    bob.next();
    return isOk(alice.nextJson(), connect, "white");
  }

  /** The same, but returns the id of the game. */
  private String find(Client alice, Client bob) {
    pair(alice, bob);
    return alice.queryIds("{\"kinds\":[5000]}").get(0);
  }

  private static boolean isOk(JsonNode frame, Event event, String text) {
    return frame.size() == 4
        && frame.get(1).asText().equals(event.id().hex())
        && frame.get(3).asText().equals(text);
  }

  private Event event(String person, int kind, String content) {
    return about(null, person, kind, content);
  }

  /** The same, with the id of its subject in the e tag. */
  private Event about(@Nullable String id, String person, int kind, String content) {
    Signer key = Keys.of(person);
    List<List<String>> tags = new ArrayList<>(List.of(List.of("nonce", "" + nonce++)));
    if (id != null) {
      tags.add(List.of("e", id));
    }
    return key.sign(relay.now(), kind, new Tags(tags), content);
  }
}
