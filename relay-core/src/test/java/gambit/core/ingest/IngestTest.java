package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.feature.WriteOutcome;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Tags;
import gambit.core.store.Transaction;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every event gets one answer, over a real socket. */
class IngestTest {
  private static final Signer ALICE = Keys.of("alice");

  @Test
  void wrongIdOrSignatureIsRefusedByTheIdThatWasSent() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      Event right = ALICE.sign(relay.now(), 1, Tags.NONE, "right");
      Event other = ALICE.sign(relay.now(), 1, Tags.NONE, "other");
      client.publish(altered(right, "altered", right.sig()));
      assertThat(client.next())
          .isEqualTo(refusal(right, "invalid: the id is not the hash of the event"));
      client.publish(altered(right, "right", other.sig()));
      assertThat(client.next()).isEqualTo(refusal(right, "invalid: the signature does not verify"));
      client.publish(right);
      assertThat(client.next()).isEqualTo("[\"OK\",\"" + right.id() + "\",true,\"\"]");
      assertThat(relay.metrics().read("events{verdict=invalid}")).isEqualTo(2);
      assertThat(relay.metrics().read("events{verdict=accepted}")).isEqualTo(1);
    }
  }

  @Test
  void eventWhoseCheckFailsIsAnsweredWithAnErrorAndNoLongerUnderWay() {
    Feature broken =
        builder ->
            builder.gate(
                submission -> {
                  throw new IllegalStateException("on purpose");
                });
    try (TestRelay relay = new TestRelay(broken);
        Client client = relay.connect()) {
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, "note")))
          .isEqualTo("error: the event could not be checked");
      assertThat(relay.metrics().read("events_under_way")).isZero();
    }
  }

  @Test
  void knownIdIsADuplicateWhateverItsOtherFieldsAndIsNotForwarded() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect();
        Client other = relay.connect()) {
      Event right = ALICE.sign(relay.now(), 1, Tags.NONE, "right");
      client.publish(right);
      client.next();
      other.send("[\"REQ\",\"live\",{\"limit\":0}]");
      other.next();
      client.publish(altered(right, "forged", new byte[64]));
      assertThat(client.next())
          .isEqualTo("[\"OK\",\"" + right.id() + "\",true,\"duplicate: already have this event\"]");
      client.publish(ALICE, relay.now(), 1, "next");
      assertThat(other.nextJson().get(2).get("content").asText()).isEqualTo("next");
      assertThat(relay.metrics().read("events{verdict=duplicate}")).isEqualTo(1);
    }
  }

  @Test
  void forgedSignatureDoesNotBlockTheGenuineEvent() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      Event right = ALICE.sign(relay.now(), 20_001, Tags.NONE, "ephemeral");
      client.publish(altered(right, "ephemeral", new byte[64]));
      assertThat(client.next()).contains(",false,\"invalid: ");
      client.publish(right);
      assertThat(client.next()).endsWith(",true,\"\"]");
    }
  }

  @Test
  void withoutRoomEventsAreRefusedAndReadingContinues() {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, new MemoryEventStore(20_000));
        Client client = relay.connect()) {
      int stored = 0;
      String answer;
      do {
        client.publish(ALICE, relay.now(), 1, "note " + stored);
        answer = client.next();
        stored++;
      } while (answer.endsWith(",true,\"\"]"));
      assertThat(answer).endsWith(",false,\"error: store is full\"]");
      assertThat(stored).isBetween(5, 20);
      client.publish(ALICE, relay.now(), 20_001, "ephemeral events need no room");
      assertThat(client.next()).endsWith(",true,\"\"]");
      client.send("[\"REQ\",\"a\",{}]");
      assertThat(client.until("EOSE")).hasSize(stored);
    }
  }

  @Test
  void fullStoreAcceptsAReplacementThatIsNoLargerThanTheReplacedEvent() {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, new MemoryEventStore(20_000));
        Client client = relay.connect()) {
      client.publish(ALICE, relay.now(), 0, "x".repeat(2000));
      assertThat(client.next()).endsWith(",true,\"\"]");
      do {
        client.publish(ALICE, relay.now(), 1, "note " + System.nanoTime());
      } while (client.next().endsWith(",true,\"\"]"));
      client.publish(ALICE, relay.now() + 1, 0, "y".repeat(2000));
      assertThat(client.next()).endsWith(",true,\"\"]");
      Tags many = new Tags(List.of(Collections.nCopies(400, "t")));
      client.publish(ALICE.sign(relay.now() + 2, 0, many, ""));
      assertThat(client.next()).endsWith(",false,\"error: store is full\"]");
    }
  }

  @Test
  void fullStoreAcceptsDeletionsAndRequestsToVanish() {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, new MemoryEventStore(64_000));
        Client client = relay.connect()) {
      Event first = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "first"));
      Event last;
      int i = 0;
      do {
        last = ALICE.sign(relay.now(), 1, Tags.NONE, "note " + i++);
      } while (client.answerTo(last).isEmpty());
      assertThat(client.answerTo(last)).isEqualTo("error: store is full");
      Tags named = new Tags(List.of(List.of("e", first.id().hex())));
      client.publishAccepted(ALICE.sign(relay.now(), 5, named, ""));
      assertThat(client.queryIds("{\"ids\":[\"" + first.id() + "\"]}")).isEmpty();
      assertThat(client.answerTo(ALICE.sign(relay.now(), 6, named, "")))
          .isEqualTo("error: store is full");
      Tags everywhere = new Tags(List.of(List.of("relay", "ALL_RELAYS")));
      client.publishAccepted(ALICE.sign(relay.now(), 62, everywhere, ""));
      assertThat(client.queryIds("{\"kinds\":[1]}")).isEmpty();
    }
  }

  @Test
  void failedCommitIsAnsweredWithAnErrorAndStoresNothing() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      client.send("[\"REQ\",\"live\",{}]");
      client.next();
      store.failCommitsOf(event -> true);
      Event event = client.publish(ALICE, relay.now(), 1, "lost");
      assertThat(client.next()).isEqualTo(refusal(event, WriteOutcome.FAILED.reason().toString()));
      store.failCommitsOf(it -> false);
      client.publish(event);
      assertThat(client.until("EVENT")).hasSize(2).first().asString().contains("true");
    }
  }

  @Test
  void bytesOfEventsUnderWayAreBoundedIncludingTheirTags() {
    FaultyStore store = new FaultyStore();
    Tags tags = new Tags(List.of(Collections.nCopies(30_000, "x"))); // 2 MB on the heap
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      store.blockCommits();
      for (int i = 0; i < 100; i++) {
        client.publishWithoutWaiting(ALICE.sign(relay.now(), 1, tags, "note " + i));
      }
      String busy = client.next();
      assertThat(busy).endsWith(",false,\"rate-limited: the relay is busy, try again\"]");
      store.unblockCommits();
      for (int i = 1; i < 100; i++) {
        client.next();
      }
      assertThat(client.answerTo(ALICE.sign(relay.now(), 20_001, tags, "afterwards"))).isEmpty();
    }
  }

  @Test
  void eventsSignedWithTheRelaysKeyAreRefusedFromClients() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      Event event = client.publish(relay.signer(), relay.now(), 1, "in our name");
      assertThat(client.next())
          .isEqualTo(refusal(event, "blocked: only the relay publishes under its key"));
    }
  }

  @Test
  void loginIsNotAcceptedAsAnEvent() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      Event login = client.publish(ALICE, relay.now(), 22_242, "");
      assertThat(client.next())
          .isEqualTo(refusal(login, "invalid: kind 22242 is for AUTH messages only"));
    }
  }

  @Test
  void clientsCannotFillTheRoomReservedForFeatures() throws Exception {
    MemoryEventStore store = new MemoryEventStore(64_000);
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      int i = 0;
      do {
        client.publish(ALICE, relay.now(), 1, "note " + i++);
      } while (client.next().endsWith(",true,\"\"]"));
    }
    Event features = ALICE.sign(1, 1, Tags.NONE, "an ending");
    try (Transaction transaction = store.begin()) {
      assertThat(transaction.hasRoomFor(List.of(features), List.of(), false)).isFalse();
      assertThat(transaction.hasRoomFor(List.of(features), List.of(), true)).isTrue();
    }
  }

  @Test
  void connectionsAndSubscriptionsAreCountedUntilTheyEnd() {
    try (TestRelay relay = new TestRelay()) {
      Client client = relay.connect();
      client.send("[\"REQ\",\"a\",{\"limit\":0}]").send("[\"REQ\",\"b\",{\"limit\":0}]");
      client.until("EOSE");
      client.until("EOSE");
      assertThat(relay.metrics().read("connections")).isEqualTo(1);
      assertThat(relay.metrics().read("subscriptions")).isEqualTo(2);
      client.abort();
      await().until(() -> relay.metrics().read("connections") == 0);
      await().until(() -> relay.metrics().read("subscriptions") == 0);
    }
  }

  private static Event altered(Event event, String content, byte[] sig) {
    return EventEncoder.encode(
        event.id(), event.pubkey(), event.createdAt(), event.kind(), event.tags(), content, sig);
  }

  private static String refusal(Event event, String text) {
    return "[\"OK\",\"" + event.id() + "\",false,\"" + text + "\"]";
  }
}
