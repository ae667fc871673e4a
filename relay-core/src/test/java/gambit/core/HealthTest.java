package gambit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.feature.Feature;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A relay reports its own state correctly. */
class HealthTest {
  private static final Duration LONG = Client.TIMEOUT;
  private static final Duration SHORT = Duration.ofMillis(100);

  private final FaultyStore store = new FaultyStore();
  private final CountDownLatch gate = new CountDownLatch(1);

  @Test
  void healthyRelayReportsNoStuckThreadAndNoProblem() throws InterruptedException {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store)) {
      assertThat(relay.health().stuck(LONG)).isEmpty();
      assertThat(relay.health().stuck(LONG)).as("asked again").isEmpty();
      assertThat(relay.health().objection()).isEmpty();
    }
  }

  @Test
  void writerBlockedInItsStoreIsStuckUntilTheStoreReturns() throws InterruptedException {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      store.blockCommits();
      client.publish(note(relay, "waits"));
      await().untilAsserted(() -> assertThat(stuck(relay)).containsExactly("writer"));
      store.unblockCommits();
      assertThat(relay.health().stuck(LONG)).isEmpty();
    }
  }

  @Test
  void queryBlockedInTheStoreIsStuck() throws InterruptedException {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      store.blockQueries();
      client.send("[\"REQ\",\"a\",{}]");
      store.awaitBlockedQuery();
      await().untilAsserted(() -> assertThat(stuck(relay)).containsExactly("query"));
      store.unblockQueries();
      assertThat(relay.health().stuck(LONG)).isEmpty();
    }
  }

  @Test
  void blockedEventLoopAndBlockedFeatureLaneAreStuck() throws InterruptedException {
    Feature feature =
        relay -> {
          relay.lane("feature", 1).submit(this::waitForGate);
          relay.gate(
              submission -> {
                waitForGate();
                return Optional.empty();
              });
        };
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, feature);
        Client client = relay.connect()) {
      client.publish(note(relay, "waits"));
      await()
          .untilAsserted(
              () ->
                  assertThat(stuck(relay))
                      .hasSize(2)
                      .contains("feature")
                      .anyMatch(name -> name.startsWith("event-loop ")));
      gate.countDown();
      assertThat(relay.health().stuck(LONG)).isEmpty();
    }
  }

  private void waitForGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void fullStoreIsReportedWhileItIsFull() {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store)) {
      store.setFull(true);
      assertThat(relay.health().objection()).contains("the store is full");
      store.setFull(false);
      assertThat(relay.health().objection()).isEmpty();
    }
  }

  @Test
  void failedCommitIsReportedUntilOneSucceedsOrTimePasses() throws InterruptedException {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      store.failCommitsOf(event -> event.content().equals("fails"));
      client.answerTo(note(relay, "fails"));
      assertThat(relay.health().stuck(LONG)).isEmpty(); // which is no commit of events
      assertThat(relay.health().objection()).contains("the last commit of events has failed");
      client.publishAccepted(note(relay, "succeeds"));
      assertThat(relay.health().objection()).isEmpty();
      client.answerTo(note(relay, "fails"));
      relay.time().advance(Duration.ofSeconds(59));
      assertThat(relay.health().objection()).isPresent();
      relay.time().advance(Duration.ofSeconds(1));
      assertThat(relay.health().objection()).isEmpty();
    }
  }

  @Test
  void relayThatShutsDownIsNotReadyAndNotStuck() throws InterruptedException {
    TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
    Client client = relay.connect();
    store.blockCommits();
    client.publish(note(relay, "waits"));
    await().untilAsserted(() -> assertThat(stuck(relay)).containsExactly("writer"));
    CompletableFuture<Void> ending = CompletableFuture.runAsync(relay::close);
    await()
        .untilAsserted(
            () -> assertThat(relay.health().objection()).contains("the relay is ending"));
    await().untilAsserted(() -> assertThat(stuck(relay)).isEmpty());
    store.unblockCommits();
    ending.join();
    assertThat(relay.health().objection()).contains("the relay is ending");
  }

  private static List<String> stuck(TestRelay relay) throws InterruptedException {
    return relay.health().stuck(SHORT);
  }

  private static Event note(TestRelay relay, String content) {
    return Keys.of("alice").sign(relay.now(), 1, Tags.NONE, content);
  }
}
