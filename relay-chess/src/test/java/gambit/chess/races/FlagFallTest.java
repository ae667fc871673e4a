package gambit.chess.races;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.EventVerifier;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * The time at which a move was read decides whether it is in time, not the time at which it is
 * handled.
 */
class FlagFallTest {
  private final ChessFeature chess =
      new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE);
  private int nonce;

  @Test
  void moveReadBeforeTheFlagFellCountsHoweverLongItsCheckTakes() throws Exception {
    StallingVerifier verifier = new StallingVerifier("g1f3");
    try (TestRelay relay = new TestRelay(verifier, chess);
        Client alice = relay.connect();
        Client bob = relay.connect()) {
      begin(relay, alice, bob);
      relay.time().advance(Duration.ofSeconds(50));
      Event move = event(relay, "alice", 5001, "g1f3");
      alice.publish(move);
      verifier.awaitStalled();
      relay
          .time()
          .advance(Duration.ofSeconds(30)); // the alarm is handed to the lane before the move
      verifier.goOn();
      assertThat(alice.next()).isEqualTo(ok(move, true, ""));
      assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("g1f3");
      play(relay, bob, "bob", alice, "b8c6");
    }
  }

  @Test
  void moveReadInTheLastMillisecondCounts() {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T12:00:00Z"));
    try (TestRelay relay = relayBy(now);
        Client alice = relay.connect();
        Client bob = relay.connect()) {
      begin(relay, alice, bob);
      now.updateAndGet(time -> time.plusMillis(60_199)); // with the allowance for lag
      play(relay, alice, "alice", bob, "g1f3");
    }
  }

  @Test
  void moveReadAfterTheFlagFellLosesEvenBeforeTheAlarm() {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T12:00:00Z"));
    try (TestRelay relay = relayBy(now);
        Client alice = relay.connect();
        Client bob = relay.connect()) {
      begin(relay, alice, bob);
      now.updateAndGet(time -> time.plusMillis(60_200));
      Event move = event(relay, "alice", 5001, "g1f3");
      alice.publish(move);
      assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("gamelost");
      assertThat(alice.next())
          .isEqualTo(ok(move, false, "invalid: the game is over: timeout, 0-1"));
      assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("opponentresigned");
    }
  }

  /** A relay whose alarms do not ring. */
  private TestRelay relayBy(AtomicReference<Instant> now) {
    return new TestRelay(LimitValues.DEFAULT, new MemoryEventStore(64 << 20), now::get, chess);
  }

  /** A game of a minute, both first moves played. */
  private void begin(TestRelay relay, Client alice, Client bob) {
    for (String player : List.of("alice", "bob")) {
      (player.equals("alice") ? alice : bob).publishAccepted(event(relay, player, 5000, "connect"));
    }
    for (Client player : List.of(alice, bob)) {
      assertThat(player.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
      player.next();
    }
    play(relay, alice, "alice", bob, "e2e4");
    play(relay, bob, "bob", alice, "e7e5");
  }

  private void play(TestRelay relay, Client mover, String name, Client opponent, String uci) {
    mover.publishAccepted(event(relay, name, 5001, uci));
    assertThat(opponent.nextJson().get(2).get("content").asText()).isEqualTo(uci);
  }

  private Event event(TestRelay relay, String player, int kind, String content) {
    List<List<String>> tags = List.of(List.of("time", "60"), List.of("nonce", "" + nonce++));
    return Keys.of(player).sign(relay.now(), kind, new Tags(tags), content);
  }

  private static String ok(Event event, boolean accepted, String text) {
    return "[\"OK\",\"" + event.id() + "\"," + accepted + ",\"" + text + "\"]";
  }

  /** Takes its time over events of one content. */
  private static final class StallingVerifier extends EventVerifier {
    private final String content;
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    StallingVerifier(String content) {
      this.content = content;
    }

    @Override
    public boolean hasValidSignature(Event event) {
      if (event.content().equals(content)) {
        stalled.countDown();
        await(goOn);
      }
      return super.hasValidSignature(event);
    }

    void awaitStalled() {
      await(stalled);
    }

    void goOn() {
      goOn.countDown();
    }

    private static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(Client.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
