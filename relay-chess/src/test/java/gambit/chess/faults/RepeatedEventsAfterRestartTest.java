package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.ReturningPlayers.MissedEnding;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An event that had an effect before a restart has none after it. */
class RepeatedEventsAfterRestartTest {
  private final MemoryEventStore store = new MemoryEventStore(64 << 20);
  private final Signer aliceKey = Keys.of("alice");
  private final Signer bobKey = Keys.of("bob");
  private TestRelay relay = relay();
  private Client alice = relay.connect();
  private Client bob = relay.connect();
  private int nonce;

  @AfterEach
  void end() {
    leave();
  }

  @Test
  void illegalMoveIsNotCountedAgainAfterARestart() {
    pair();
    Event illegal = event(aliceKey, 5001, "e2e5");
    String counted = "invalid: illegal move e2e5 (1 of 2)";
    assertThat(alice.answerTo(illegal)).isEqualTo(counted);
    restart();
    comeBack();
    assertThat(alice.answerTo(illegal)).isEqualTo(counted);
    assertThat(alice.answerTo(event(aliceKey, 5001, "e2e4"))).isEmpty();
    assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("e2e4");
    assertThat(alice.answerTo(event(aliceKey, 5001, "e4e6"))).isEqualTo("invalid: not your turn");
  }

  @Test
  void refusedEventIsRefusedAgainEvenIfItWouldNowBeAccepted() {
    pair();
    Event early = event(bobKey, 5001, "e7e5");
    assertThat(bob.answerTo(early)).isEqualTo("invalid: not your turn");
    Event malformed = event(bobKey, 5002, "draw");
    String words = "invalid: not one of offer, accept, decline, claim, takeback";
    assertThat(bob.answerTo(malformed)).isEqualTo(words);
    Event future = bobKey.sign(relay.now() + 61, 5003, new Tags(List.of()), "resign");
    String ahead = "invalid: created_at is more than 60 s from the relay's clock";
    assertThat(bob.answerTo(future)).isEqualTo(ahead);
    Tags toServer = new Tags(List.of(List.of("p", relay.signer().pubkey().hex())));
    Event elsewhere = bobKey.sign(relay.now(), 20303, toServer, "e7e5");
    assertThat(bob.answerTo(elsewhere)).as("refused in a 20304").isEmpty();
    restart();
    comeBack();
    assertThat(alice.answerTo(event(aliceKey, 5001, "e2e4"))).isEmpty();
    assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("e2e4");
    relay.time().advance(Duration.ofSeconds(2));
    assertThat(bob.answerTo(early)).isEqualTo("invalid: not your turn");
    assertThat(bob.answerTo(malformed)).isEqualTo(words);
    assertThat(bob.answerTo(future)).isEqualTo(ahead);
    assertThat(bob.answerTo(elsewhere))
        .isEqualTo("duplicate: already handled, sign a new event to repeat it");
    assertThat(bob.answerTo(event(bobKey, 5001, "e7e5"))).isEmpty();
  }

  @Test
  void resignationOrAbortDoesNotEndALaterGame() {
    pair();
    Event abort = event(aliceKey, 5000, "abort");
    assertThat(alice.answerTo(abort)).isEmpty();
    awaitEnding("gameaborted", "gameaborted");
    restart();
    pair();
    assertThat(alice.answerTo(abort))
        .isEqualTo("duplicate: already handled, sign a new event to repeat it");
    Event resign = event(bobKey, 5003, "resign");
    assertThat(bob.answerTo(resign)).isEqualTo("resigned");
    awaitEnding("opponentresigned", "gamelost");
    restart();
    pair();
    assertThat(bob.answerTo(resign))
        .isEqualTo("duplicate: already handled, sign a new event to repeat it");
    assertThat(alice.answerTo(event(aliceKey, 5001, "e2e4"))).isEmpty();
  }

  @Test
  void connectFromBeforeTheRestartHasNoEffect() {
    Event connect = event(aliceKey, 5000, "connect");
    assertThat(alice.answerTo(connect)).isEmpty();
    restart();
    assertThat(alice.answerTo(connect)).isEqualTo("invalid: already used, sign a new event");
    assertThat(alice.answerTo(event(aliceKey, 5000, "connect"))).isEmpty();
  }

  @Test
  void acceptedOrWithdrawnInviteIsNotPendingAgain() {
    Event invite = event(aliceKey, 5000, "invite");
    assertThat(alice.answerTo(invite)).isEmpty();
    Tags named = new Tags(List.of(List.of("e", invite.id().hex())));
    Event reject = aliceKey.sign(relay.now(), 5000, named, "reject");
    assertThat(alice.answerTo(reject)).isEmpty();
    restart();
    assertThat(alice.answerTo(invite))
        .isEqualTo("duplicate: already handled, sign a new event to repeat it");
    assertThat(alice.answerTo(reject))
        .isEqualTo("duplicate: already handled, sign a new event to repeat it");
    assertThat(bob.queryIds("{\"kinds\":[5000]}")).isEmpty();
  }

  private TestRelay relay() {
    return new TestRelay(
        LimitValues.DEFAULT,
        store,
        new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  }

  private void leave() {
    alice.close();
    bob.close();
    relay.close();
  }

  private void restart() {
    leave();
    relay = relay();
    alice = relay.connect();
    bob = relay.connect();
  }

  /** Lets the two find each other; Alice is White. */
  private void pair() {
    assertThat(alice.answerTo(event(aliceKey, 5000, "connect"))).isEmpty();
    assertThat(bob.answerTo(event(bobKey, 5000, "connect"))).isEmpty();
    awaitColour(alice);
    awaitColour(bob);
  }

  private void comeBack() {
    assertThat(alice.answerTo(event(aliceKey, 5000, "connect"))).isEmpty();
    awaitColour(alice);
    assertThat(bob.answerTo(event(bobKey, 5000, "connect"))).isEmpty();
    awaitColour(bob);
  }

  /** The ending has reached both players, so that it does not wait for them after the restart. */
  private void awaitEnding(String forAlice, String forBob) {
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo(forAlice);
    assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo(forBob);
    await().until(() -> store.rows(MissedEnding.TABLE).isEmpty()); // removed after it was sent
  }

  private static void awaitColour(Client player) {
    assertThat(player.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
    assertThat(player.next()).startsWith("[\"OK\",");
  }

  private Event event(Signer key, int kind, String content) {
    Tags tags = new Tags(List.of(List.of("nonce", "" + nonce++)));
    return key.sign(relay.now(), kind, tags, content);
  }
}
