package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.ClientCrowd;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client that reads is not disconnected because of frames for other clients, however many there
 * are. In the tests with small limits, clients read nothing at first, so that all frames are
 * certain to be queued; those with the default limits have as many clients as these limits allow.
 */
class ManyClientsTest {
  /** Time without a turn after which idle clients are disconnected. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final Signer ALICE = Keys.of("alice");
  private static final String LIVE = "[\"REQ\",\"live\",{\"limit\":0}]";
  private static final String STORED = "[\"REQ\",\"stored\",{}]";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"2000000, 40, 5, 120000", "1000000, 80, 10, 20000"})
  void eventQueuedForManyClientsIsCountedOnce(int bound, int clients, int events, int length)
      throws IOException {
    try (TestRelay relay = relay(bound);
        Client writer = relay.connect();
        ClientCrowd readers = new ClientCrowd(relay.uri(), clients, 64 * 1024, i -> LIVE)) {
      await().until(() -> relay.metrics().read("subscriptions") == clients);
      publish(relay, writer, events, length);
      assertThat(relay.metrics().read("outbox_bytes")).isLessThan(bound);
      assertThat(readers.readUntilEachHas(events, "EVENT")).as("disconnected").isZero();
      await().until(() -> relay.metrics().read("outbox_bytes") == 0);
    }
  }

  @Test
  void eventQueuedForManySubscriptionsOfAClientIsCountedOnce() throws IOException {
    int subscriptions = LimitValues.DEFAULT.get(Limit.SUBSCRIPTIONS);
    try (TestRelay relay = new TestRelay();
        Client writer = relay.connect();
        ClientCrowd reader = new ClientCrowd(relay.uri(), 1, 64 * 1024, i -> LIVE)) {
      for (int i = 1; i < subscriptions; i++) {
        reader.send(0, LIVE.replace("live", "live" + i));
      }
      await().until(() -> relay.metrics().read("subscriptions") == subscriptions);
      publish(relay, writer, 1, 120_000);
      assertThat(reader.readUntilEachHas(subscriptions, "EVENT")).as("disconnected").isZero();
      await().until(() -> relay.metrics().read("outbox_bytes") == 0);
    }
  }

  @Test
  void storedPagesWaitForRoomInTheSharedBound() throws IOException {
    int bound = 400_000; // a client of its own might have 256 KB of pages waiting
    try (EventStore store = store();
        TestRelay relay = relay(bound, store);
        Client writer = relay.connect()) {
      publish(relay, writer, 200, 20_000);
      try (ClientCrowd readers = new ClientCrowd(relay.uri(), 10, 8 * 1024, i -> STORED)) {
        await().until(() -> relay.metrics().read("outbox_bytes") > bound / 3);
        assertThat(readers.readUntilEachHas(1, "EOSE")).as("disconnected").isZero();
      }
    }
  }

  @Test
  void clientsThatNeverReadAreDisconnectedWhileStoredPagesWait() throws IOException {
    int bound = 300_000; // three quarters of it are for pages
    try (EventStore store = store();
        TestRelay relay = relay(bound, store);
        Client writer = relay.connect()) {
      publish(relay, writer, 200, 20_000);
      try (ClientCrowd sleepers = new ClientCrowd(relay.uri(), 20, 1, i -> STORED)) {
        await()
            .during(Duration.ofMillis(100))
            .until(() -> relay.metrics().read("outbox_bytes") > bound / 4 * 3);
        writer.send("[\"REQ\",\"b\",{\"limit\":10}]");
        await().until(() -> relay.metrics().read("subscriptions") == sleepers.size() + 1);
        assertThat(writer.unread()).isEmpty();
        assertThat(relay.metrics().read("connections")).isEqualTo(sleepers.size() + 1);
        await()
            .until(
                () -> {
                  relay.time().advance(PATIENCE);
                  return writer.unread().size() == 11; // ten events and EOSE
                });
        await().until(() -> relay.metrics().read("connections") < sleepers.size() + 1);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"2000, 5, 120000", "1000, 20, 20000"})
  void manyClientsThatReadReceiveEverything(int many, int events, int length) throws IOException {
    int clients = TestEffort.of(many / 40, many);
    try (TestRelay relay = new TestRelay();
        Client writer = relay.connect();
        ClientCrowd readers = new ClientCrowd(relay.uri(), clients, 64 * 1024, i -> LIVE)) {
      await().until(() -> relay.metrics().read("subscriptions") == clients);
      publishSoon(relay, writer, events, length);
      assertThat(readers.readUntilEachHas(events, "EVENT")).as("disconnected").isZero();
      await().until(() -> relay.metrics().read("outbox_bytes") == 0);
    }
  }

  @Test
  void manySlowReadersReceiveAllStoredEvents() throws IOException {
    int clients = TestEffort.of(5, 1600);
    int events = 100;
    try (EventStore store = store();
        TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client writer = relay.connect()) {
      publish(relay, writer, events, 120_000);
      try (ClientCrowd readers = new ClientCrowd(relay.uri(), clients, 16 * 1024, i -> STORED)) {
        assertThat(readers.readUntilEachHas(1, "EOSE")).as("disconnected").isZero();
      }
    }
  }

  private static void publishSoon(TestRelay relay, Client writer, int events, int length) {
    String filling = "x".repeat(length);
    for (int i = 0; i < events; i++) {
      writer.publishWithoutWaiting(ALICE.sign(relay.now() - i, 1, Tags.NONE, filling));
    }
  }

  private static void publish(TestRelay relay, Client writer, int events, int length) {
    publishSoon(relay, writer, events, length);
    for (int i = 0; i < events; i++) {
      assertThat(writer.next()).endsWith(",true,\"\"]");
    }
  }

  /** One that reads an event anew for each that asks for it. */
  private EventStore store() throws IOException {
    return DiskEventStore.open(directory, InstantSource.system(), 0);
  }

  private static TestRelay relay(long allOutboxBytes) {
    return relay(allOutboxBytes, new MemoryEventStore(64 << 20));
  }

  private static TestRelay relay(long allOutboxBytes, EventStore store) {
    return new TestRelay(
        TestLimits.builder().set(Limit.ALL_OUTBOX_BYTES, allOutboxBytes).build(), store);
  }
}
