package gambit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The stages of events and queries, and the traffic of clients, are measured. */
class StageMetricsTest {
  private static final Signer ALICE = Keys.of("alice");

  @Test
  void everyStageOfAStoredEventIsMeasuredOnce() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "note"));
      for (String stage : new String[] {"parse", "verify", "writer_wait", "commit"}) {
        assertThat(relay.metrics().read(stage + "_seconds_count")).as(stage).isEqualTo(1);
      }
      await().until(() -> relay.metrics().read("fan_out_seconds_count") == 1);
      assertThat(relay.metrics().read("accepted_events{class=regular}")).isEqualTo(1);
    }
  }

  @Test
  void aKnownEventIsNeitherVerifiedNorCommittedNorCountedAsAccepted() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      Event note = ALICE.sign(relay.now(), 1, Tags.NONE, "note");
      client.publishAccepted(note);
      client.publish(note);
      client.next();
      assertThat(relay.metrics().read("parse_seconds_count")).isEqualTo(2);
      assertThat(relay.metrics().read("verify_seconds_count")).isEqualTo(1);
      assertThat(relay.metrics().read("commit_seconds_count")).isEqualTo(1);
      assertThat(relay.metrics().read("accepted_events{class=regular}")).isEqualTo(1);
    }
  }

  @Test
  void acceptedEventsAreCountedByTheClassOfTheirKind() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      for (int kind : new int[] {1, 0, 10_002, 20_001, 30_023, 40}) {
        client.publishAccepted(ALICE.sign(relay.now(), kind, Tags.NONE, "{}"));
      }
      assertThat(relay.metrics().read("accepted_events{class=regular}")).isEqualTo(2);
      assertThat(relay.metrics().read("accepted_events{class=replaceable}")).isEqualTo(2);
      assertThat(relay.metrics().read("accepted_events{class=ephemeral}")).isEqualTo(1);
      assertThat(relay.metrics().read("accepted_events{class=addressable}")).isEqualTo(1);
    }
  }

  @Test
  void aQueryIsMeasuredToItsEoseAndEachOfItsPages() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      client.queryIds("{\"kinds\":[1]}");
      assertThat(relay.metrics().read("query_seconds_count")).isEqualTo(1);
      assertThat(relay.metrics().read("query_page_seconds_count")).isEqualTo(1);
    }
  }

  @Test
  void messagesAndBytesAreCountedInBothDirections() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      await().until(() -> relay.metrics().read("sent_messages{type=answer}") == 1); // the challenge
      Event note = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "note"));
      long received = relay.metrics().read("received_bytes");
      assertThat(received).isGreaterThan(note.json().length);
      String request = "[\"REQ\",\"sub\",{}]";
      client.send(request);
      client.until("EOSE");
      int frameHead = 6; // two bytes and the mask
      assertThat(relay.metrics().read("received_bytes") - received)
          .isEqualTo(request.getBytes(StandardCharsets.UTF_8).length + frameHead);
      await().until(() -> relay.metrics().read("sent_messages{type=answer}") == 3);
      assertThat(relay.metrics().read("sent_messages{type=event}")).isEqualTo(1);
      assertThat(relay.metrics().read("sent_bytes")).isGreaterThan(note.json().length);
    }
  }

  @Test
  void failedCommitsAreCounted() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      assertThat(relay.metrics().read("failed_commits")).isZero();
      store.failCommitsOf(event -> true);
      client.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, "note"));
      assertThat(relay.metrics().read("failed_commits")).isEqualTo(1);
    }
  }

  @Test
  void aFullStoreIsReportedWhileItIsFull() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store)) {
      assertThat(relay.metrics().read("store_full")).isZero();
      store.setFull(true);
      assertThat(relay.metrics().read("store_full")).isEqualTo(1);
      store.setFull(false);
      assertThat(relay.metrics().read("store_full")).isZero();
    }
  }
}
