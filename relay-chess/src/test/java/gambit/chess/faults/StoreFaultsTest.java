package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A request whose commit fails has no effect: the answer reports it, and the game is unchanged. */
class StoreFaultsTest {
  private static final String FAILED = "error: the event could not be stored";
  private static final String FOR_OTHERS = "invalid: this invite is for somebody else";
  private static final String FULL = "error: store is full";
  private static final String UNBOUND = "auth-required: send connect first";

  private final FaultyStore store = new FaultyStore();
  private final TestRelay relay =
      new TestRelay(
          LimitValues.DEFAULT,
          store,
          new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  private final Signer aliceKey = Keys.of("alice");
  private final Signer bobKey = Keys.of("bob");
  private final Signer carolKey = Keys.of("carol");
  private final Client alice = relay.connect();
  private final Client bob = relay.connect();
  private int nonce;

  @AfterEach
  void end() {
    alice.close();
    bob.close();
    relay.close();
  }

  @Test
  void moveWhoseCommitFailedMayBeSentAgainAsTheSameEvent() {
    pair();
    store.failCommitsOf(event -> event.kind() == 5001);
    Event move = event(aliceKey, 5001, "e2e4");
    assertAnswer(alice, move, false, FAILED);
    store.failCommitsOf(event -> false);
    assertAnswer(alice, move, true, "");
    assertThat(bob.nextJson().get(2).get("id").asText()).isEqualTo(move.id().hex());
    assertAnswer(bob, event(bobKey, 5001, "e7e5"), true, "");
  }

  @Test
  void endingWhoseRecordCannotBeStoredHasNotHappened() {
    pair();
    play("f2f3 e7e5 g2g4");
    store.failCommitsOf(event -> event.kind() == 64);
    Event mate = event(bobKey, 5001, "d8h4");
    assertAnswer(bob, mate, false, FAILED);
    store.failCommitsOf(event -> false);
    assertAnswer(bob, mate, true, "");
    assertThat(alice.nextJson().get(2).get("id").asText()).isEqualTo(mate.id().hex());
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("gamecheckmate");
    assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("gamecheckmate");
  }

  @Test
  void secondIllegalMoveWhoseRecordCannotBeStoredIsNotCounted() {
    pair();
    assertAnswer(
        alice, event(aliceKey, 5001, "e2e5"), false, "invalid: illegal move e2e5 (1 of 2)");
    store.failCommitsOf(event -> event.kind() == 64);
    assertAnswer(alice, event(aliceKey, 5001, "e2e5"), false, FAILED);
    store.failCommitsOf(event -> false);
    assertAnswer(alice, event(aliceKey, 5001, "e2e4"), true, "");
  }

  @Test
  void failedPairingIsReportedToBothPlayersAndTheyMaySearchAgain() {
    store.failCommitsOf(event -> event.kind() == 5000);
    Event one = event(aliceKey, 5000, "connect");
    assertAnswer(alice, one, true, "");
    Event two = event(bobKey, 5000, "connect");
    assertAnswer(bob, two, true, "");
    assertThat(alice.next()).isEqualTo(ok(one, false, FAILED));
    assertThat(bob.next()).isEqualTo(ok(two, false, FAILED));
    store.failCommitsOf(event -> false);
    assertAnswer(alice, one, false, "invalid: already used, sign a new event");
    pair();
  }

  @Test
  void fullStoreIsNamedInTheAnswer() {
    pair();
    store.setFull(true);
    assertAnswer(alice, event(aliceKey, 5001, "e2e4"), false, FULL);
    assertAnswer(bob, event(bobKey, 5003, "resign"), false, FULL);
    store.setFull(false);
    assertAnswer(alice, event(aliceKey, 5001, "e2e4"), true, "");
    store.setFull(true);
    bob.next();
    assertAnswer(bob, event(bobKey, 5000, "abort"), true, "");
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("gameaborted");
    assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("gameaborted");
    Event one = event(aliceKey, 5000, "connect");
    assertAnswer(alice, one, true, "");
    assertAnswer(bob, event(bobKey, 5000, "connect"), true, "");
    assertThat(alice.next()).isEqualTo(ok(one, false, FULL));
  }

  @Test
  void abandonmentWhoseCommitFailedIsTriedAgain() {
    pair();
    play("e2e4 e7e5");
    store.failCommitsOf(event -> event.kind() == 64);
    bob.abort();
    relay.time().awaitAlarms(2);
    relay.time().advance(Duration.ofSeconds(60));
    relay.time().awaitAlarms(2);
    store.failCommitsOf(event -> false);
    relay.time().advance(Duration.ofSeconds(60));
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("opponentresigned");
  }

  @Test
  void firstOfTwoAbsentPlayersLosesEvenIfTheFirstCommitFails() {
    try (Client carol = relay.connect()) {
      carol.send("[\"REQ\",\"r\",{\"kinds\":[64]}]").until("EOSE");
      pair();
      play("e2e4 e7e5");
      store.failCommitsOf(event -> event.kind() == 64);
      bob.abort();
      relay.time().awaitAlarms(2);
      relay.time().advance(Duration.ofSeconds(30));
      alice.abort();
      relay.time().awaitAlarms(3);
      relay.time().advance(Duration.ofSeconds(30));
      relay.time().awaitAlarms(3);
      store.failCommitsOf(event -> false);
      relay.time().advance(Duration.ofSeconds(1));
      assertThat(carol.next()).contains("[\"result\",\"1-0\"],[\"termination\",\"abandoned\"]");
    }
  }

  @Test
  void requestWhoseCommitFailedDoesNotChangeThePlayersDialect() {
    alice
        .send("[\"REQ\",\"chess\",{\"kinds\":[20301],\"#p\":[\"" + aliceKey.pubkey() + "\"]}]")
        .until("EOSE");
    assertAnswer(alice, ephemeral(aliceKey), true, "");
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("queued");
    store.setRowsFail(true);
    assertAnswer(alice, event(aliceKey, 5000, "connect"), false, FAILED);
    store.setRowsFail(false);
    Event second = event(bobKey, 5000, "connect");
    assertAnswer(bob, second, true, "");
    assertThat(bob.next()).startsWith("[\"EVENT\",5000,");
    assertThat(bob.next()).isEqualTo(ok(second, true, "black"));
    assertThat(alice.nextJson().get(2).get("content").asText()).startsWith("started:");
    assertAnswer(alice, event(carolKey, 5003, "resign"), false, UNBOUND); // and no numbered frame
  }

  @Test
  void loginBindsAfterARequestWhoseCommitFailed() {
    store.setRowsFail(true);
    store.blockCommits();
    Event connect = event(aliceKey, 5000, "connect");
    alice.publish(connect);
    alice.login(relay.now(), aliceKey);
    store.unblockCommits();
    assertThat(alice.next()).isEqualTo(ok(connect, false, FAILED));
    assertAnswer(alice, event(aliceKey, 5003, "resign"), false, "invalid: no game in progress");
  }

  @Test
  void inviteWhoseCommitFailedCannotBeAccepted() {
    store.failCommitsOf(event -> event.content().equals("invite"));
    Event invite = event(aliceKey, 5000, "invite");
    assertAnswer(alice, invite, false, FAILED);
    store.failCommitsOf(event -> false);
    Event accept = about(invite, bobKey, "accept");
    assertAnswer(bob, accept, false, "invalid: no such invite, or it is over");
    assertAnswer(alice, invite, true, "");
  }

  @Test
  void failedAcceptLeavesTheInvitePendingAndBothSearchesQueued() {
    Event search = event(aliceKey, 5000, "connect", List.of("time", "60"));
    assertAnswer(alice, search, true, "");
    Event other = event(bobKey, 5000, "connect", List.of("time", "300"));
    assertAnswer(bob, other, true, "");
    Event invite = event(aliceKey, 5000, "invite");
    assertAnswer(alice, invite, true, "");
    store.failCommitsOf(event -> event.content().equals("gameisfound"));
    assertAnswer(bob, about(invite, bobKey, "accept"), false, FAILED);
    assertAnswer(bob, about(invite, bobKey, "reject"), false, FOR_OTHERS);
    store.setRowsFail(true);
    try (Client second = relay.connect()) {
      assertAnswer(second, about(invite, aliceKey, "reject"), false, FAILED);
      assertAnswer(second, event(aliceKey, 5003, "resign"), false, UNBOUND);
    }
    store.setRowsFail(false);
    store.failCommitsOf(event -> false);
    await().until(() -> relay.metrics().read("chess_searching") == 2);
    await().until(() -> relay.metrics().read("chess_invites") == 1);
    assertAnswer(bob, event(bobKey, 5000, "connect"), true, "duplicate: already searching");
    assertAnswer(alice, event(aliceKey, 5000, "connect"), true, "duplicate: already searching");
    assertAnswer(bob, about(invite, bobKey, "accept"), true, "");
    await().until(() -> relay.metrics().read("chess_searching") == 0);
    await().until(() -> relay.metrics().read("chess_invites") == 0);
  }

  @Test
  void requestWhoseCommitFailedDoesNotBindItsConnection() {
    pair();
    store.setRowsFail(true);
    try (Client second = relay.connect()) {
      assertAnswer(second, event(aliceKey, 5000, "abort"), false, FAILED);
      store.setRowsFail(false);
      assertAnswer(second, event(aliceKey, 5001, "e2e4"), false, UNBOUND);
      assertAnswer(alice, event(aliceKey, 5001, "e2e4"), true, "");
    }
  }

  @Test
  void timeoutWhoseCommitFailedIsTriedAgainAndMovesMeanwhileAreAnswered() {
    pair();
    play("e2e4 e7e5");
    store.failCommitsOf(event -> event.kind() == 64);
    relay.time().awaitAlarms(1);
    relay.time().advance(Duration.ofSeconds(601));
    relay.time().awaitAlarms(1);
    assertAnswer(alice, event(aliceKey, 5001, "g1f3"), false, FAILED);
    assertAnswer(bob, event(bobKey, 5003, "resign"), false, FAILED);
    relay.time().awaitAlarms(1);
    store.failCommitsOf(event -> false);
    relay.time().advance(Duration.ofSeconds(1));
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("gamelost");
    assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("opponentresigned");
  }

  @Test
  void absentPlayerLosesEvenWithoutRoomForTheRecord() {
    pair();
    play("e2e4 e7e5");
    alice.send("[\"REQ\",\"live\",{\"kinds\":[64]}]").until("EOSE");
    store.setFull(true);
    bob.abort();
    relay.time().awaitAlarms(2);
    relay.time().advance(Duration.ofSeconds(60));
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("opponentresigned");
    alice.send("[\"REQ\",\"r\",{\"kinds\":[64]}]");
    assertThat(alice.next()).isEqualTo("[\"EOSE\",\"r\"]");
    String over = "invalid: the game is over: abandoned, 1-0";
    assertAnswer(alice, event(aliceKey, 5003, "resign"), false, over);
  }

  @Test
  void failedPairingIsReportedInTheEphemeralDialect() {
    String server = "{\"kinds\":[20301],\"authors\":[\"" + relay.signer().pubkey().hex() + "\"]}";
    alice.send("[\"REQ\",\"chess\"," + server + "]").until("EOSE");
    bob.send("[\"REQ\",\"chess\"," + server + "]").until("EOSE");
    store.failCommitsOf(event -> event.content().equals("gameisfound"));
    assertAnswer(alice, ephemeral(aliceKey), true, "");
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("queued");
    assertAnswer(bob, ephemeral(bobKey), true, "");
    assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("queued");
    String error = "error:the event could not be stored";
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo(error);
    assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo(error);
  }

  private Event ephemeral(Signer key) {
    Tags tags =
        new Tags(
            List.of(List.of("p", relay.signer().pubkey().hex()), List.of("nonce", "" + nonce++)));
    return key.sign(relay.now(), 20300, tags, "");
  }

  @Test
  void rematchRequestedByBothPlayersDuringACommitIsOneGame() {
    pair();
    String game = alice.queryIds("{\"kinds\":[5000]}").get(0);
    assertAnswer(alice, event(aliceKey, 5003, "resign"), true, "resigned");
    bob.next();
    Tags last = new Tags(List.of(List.of("e", game)));
    store.blockCommits();
    alice.publish(aliceKey.sign(relay.now(), 5000, last, "rematch"));
    await().until(() -> relay.metrics().read("chess_invites") == 1);
    Event second = bobKey.sign(relay.now(), 5000, last, "rematch");
    bob.publish(second);
    assertAnswer(bob, event(carolKey, 5003, "resign"), false, UNBOUND); // after it
    store.unblockCommits();
    assertThat(bob.next()).isEqualTo(ok(second, true, ""));
    assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
  }

  @Test
  void resultOfAConnectPrecedesAnswersToLaterRequests() {
    store.blockCommits();
    Event connect = event(aliceKey, 5000, "connect");
    Event cancel = event(aliceKey, 5000, "cancelsearch");
    alice.publish(connect).publish(cancel);
    assertAnswer(alice, event(carolKey, 5003, "resign"), false, UNBOUND); // after both
    store.unblockCommits();
    assertThat(alice.next()).isEqualTo(ok(connect, true, ""));
    assertThat(alice.next()).isEqualTo(ok(cancel, true, ""));
    assertAnswer(bob, event(bobKey, 5000, "connect"), true, "");
    assertAnswer(bob, event(bobKey, 5003, "resign"), false, "invalid: no game in progress");
  }

  @Test
  void connectDuringTheEndOfAGameDoesNotStartASearch() {
    pair();
    store.blockCommits();
    Event back = event(aliceKey, 5000, "connect");
    alice.publish(back);
    assertAnswer(alice, event(carolKey, 5003, "resign"), false, UNBOUND); // after it
    bob.publish(event(bobKey, 5000, "abort"));
    assertAnswer(bob, event(carolKey, 5003, "resign"), false, UNBOUND);
    store.unblockCommits();
    assertThat(alice.next()).isEqualTo(ok(back, true, ""));
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
    assertThat(alice.next()).isEqualTo(ok(back, true, "white"));
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("gameaborted");
    assertAnswer(alice, event(aliceKey, 5000, "connect"), true, "");
  }

  private void pair() {
    Event one = event(aliceKey, 5000, "connect");
    assertAnswer(alice, one, true, "");
    Event two = event(bobKey, 5000, "connect");
    assertAnswer(bob, two, true, "");
    assertThat(alice.next()).startsWith("[\"EVENT\",5000,");
    assertThat(alice.next()).isEqualTo(ok(one, true, "white"));
    assertThat(bob.next()).startsWith("[\"EVENT\",5000,");
    assertThat(bob.next()).isEqualTo(ok(two, true, "black"));
  }

  private void play(String moves) {
    boolean white = true;
    for (String uci : moves.split(" ")) {
      assertAnswer(white ? alice : bob, event(white ? aliceKey : bobKey, 5001, uci), true, "");
      assertThat((white ? bob : alice).next()).startsWith("[\"EVENT\",5002,");
      white = !white;
    }
  }

  private Event event(Signer key, int kind, String content) {
    return event(key, kind, content, List.of("alt", content));
  }

  private Event event(Signer key, int kind, String content, List<String> tag) {
    Tags tags = new Tags(List.of(tag, List.of("nonce", "" + nonce++)));
    return key.sign(relay.now(), kind, tags, content);
  }

  /** What answers an invite. */
  private Event about(Event invite, Signer key, String content) {
    return event(key, 5000, content, List.of("e", invite.id().hex()));
  }

  private static void assertAnswer(Client client, Event event, boolean accepted, String text) {
    client.publish(event);
    assertThat(client.next()).isEqualTo(ok(event, accepted, text));
  }

  private static String ok(Event event, boolean accepted, String text) {
    return "[\"OK\",\"" + event.id() + "\"," + accepted + ",\"" + text + "\"]";
  }
}
