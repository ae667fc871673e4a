package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A relay that shuts down during a game answers every pending request. */
class ShutdownDuringGameTest {
  private static final Signer WHITE = Keys.of("alice");
  private static final Signer BLACK = Keys.of("bob");

  @Test
  void requestsWaitingForACommitAreAnsweredBeforeTheCloseFrame() {
    FaultyStore store = new FaultyStore();
    TestRelay relay =
        new TestRelay(
            LimitValues.DEFAULT,
            store,
            new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
    Client white = relay.connect();
    Client black = relay.connect();
    white.publishAccepted(event(relay, WHITE, 5000, "connect"));
    black.publishAccepted(event(relay, BLACK, 5000, "connect"));
    black.until("OK");
    white.until("OK");
    store.blockCommits();
    Event first = event(relay, WHITE, 5001, "e2e4");
    Event second = event(relay, BLACK, 5001, "e7e5");
    white.publish(first);
    await().until(store::hasBlockedCommit);
    black.publish(second);
    await().until(() -> relay.metrics().read("events_under_way") == 2);
    CompletableFuture<Void> ending = CompletableFuture.runAsync(relay::close);
    await().until(() -> relay.health().objection().isPresent());
    store.unblockCommits();
    assertAccepted(white.until("OK"), first);
    assertAccepted(black.until("OK"), second);
    assertThat(white.awaitClose()).isEqualTo(1001);
    assertThat(black.awaitClose()).isEqualTo(1001);
    ending.join();
    assertThat(store.contains(second.id())).isTrue();
  }

  private static void assertAccepted(List<JsonNode> frames, Event event) {
    JsonNode ok = frames.get(frames.size() - 1);
    assertThat(ok.get(1).asText()).isEqualTo(event.id().hex());
    assertThat(ok.get(2).asBoolean()).isTrue();
  }

  private static Event event(TestRelay relay, Signer author, int kind, String content) {
    return author.sign(relay.now(), kind, Tags.NONE, content);
  }
}
