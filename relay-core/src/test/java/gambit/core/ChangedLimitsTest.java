package gambit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Tags;
import gambit.core.testkit.ChangedSettings;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Limits that change while clients are connected: the new value applies to these clients, what they
 * hold beyond it stays, and sums stay right.
 */
class ChangedLimitsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final String NOTE = "x".repeat(30_000);

  private static void change(TestRelay relay, Limit limit, long value) {
    relay.change(settings -> ChangedSettings.with(settings, limit, value));
  }

  private static String answer(Client client, String request) {
    return client.send(request).next();
  }

  private static String subscribe(String id, String filter) {
    return "[\"REQ\",\"" + id + "\"," + filter + "]";
  }

  @Test
  void subscriptionsBeyondALoweredLimitStayAndNoneIsAddedUntilEnoughAreClosed() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      for (String id : List.of("a", "b", "c")) {
        assertThat(answer(client, subscribe(id, "{\"limit\":0}"))).contains("EOSE");
      }
      change(relay, Limit.SUBSCRIPTIONS, 2);
      assertThat(relay.information().at("/limitation/max_subscriptions").asInt()).isEqualTo(2);
      String refusal = "[\"CLOSED\",\"d\",\"error: more than 2 subscriptions\"]";
      assertThat(answer(client, subscribe("d", "{\"limit\":0}"))).isEqualTo(refusal);
      client.send("[\"CLOSE\",\"a\"]");
      assertThat(answer(client, subscribe("d", "{\"limit\":0}"))).isEqualTo(refusal);
      client.publish(ALICE, relay.now(), 1, "for b and c");
      assertThat(client.until("OK")).hasSizeLessThanOrEqualTo(3);
      await().until(() -> relay.metrics().read("subscriptions") == 2);
      client.send("[\"CLOSE\",\"b\"]");
      assertThat(client.send(subscribe("d", "{\"limit\":0}")).until("EOSE"))
          .last()
          .hasToString("[\"EOSE\",\"d\"]");
      change(relay, Limit.SUBSCRIPTIONS, 3);
      assertThat(answer(client, subscribe("e", "{\"limit\":0}"))).contains("EOSE");
      assertThat(answer(client, subscribe("f", "{\"limit\":0}"))).contains("more than 3");
    }
  }

  @Test
  void filterValuesBeyondLoweredLimitsAreReleasedExactly() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect();
        Client other = relay.connect()) {
      assertThat(answer(client, subscribe("a", "{\"kinds\":[1,2,3,4,5],\"limit\":0}")))
          .contains("EOSE");
      change(relay, Limit.FILTER_VALUES, 3);
      assertThat(answer(client, subscribe("b", "{\"kinds\":[1],\"limit\":0}")))
          .isEqualTo("[\"CLOSED\",\"b\",\"error: more than 3 filter values\"]");
      assertThat(answer(other, subscribe("b", "{\"kinds\":[1,2,3],\"limit\":0}"))).contains("EOSE");
      change(
          relay,
          Limit.ALL_FILTER_VALUES,
          16); // 8 for one address; with the filters, 6 + 4 are in use
      client.send("[\"CLOSE\",\"a\"]");
      assertThat(answer(client, subscribe("b", "{\"kinds\":[1,2,3],\"limit\":0}")))
          .contains("EOSE");
      assertThat(answer(other, subscribe("c", "{\"limit\":0}")))
          .isEqualTo(
              "[\"CLOSED\",\"c\",\"error: too many filter values of your address or of all, try again later\"]");
      client.send("[\"CLOSE\",\"b\"]");
      assertThat(client.queryIds("{\"kinds\":[1,2,3]}")).isEmpty();
    }
  }

  @Test
  void limitsOfEventsAndFiltersApplyToTheNextMessage() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      for (int i = 0; i < 4; i++) {
        client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "note " + i));
      }
      change(relay, Limit.EVENT_TAGS, 2);
      change(relay, Limit.TAG_VALUE_LENGTH, 5);
      change(relay, Limit.SECONDS_AHEAD, 10);
      change(relay, Limit.FILTERS, 1);
      change(relay, Limit.DEFAULT_LIMIT, 2);
      change(relay, Limit.MAX_LIMIT, 3);
      Tags three = new Tags(Collections.nCopies(3, List.of("t", "x")));
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, three, "")))
          .isEqualTo("invalid: more than 2 tags");
      Tags longer = new Tags(List.of(List.of("t", "123456")));
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, longer, "")))
          .isEqualTo("invalid: a tag has more than 5 characters");
      assertThat(client.answerTo(ALICE.sign(relay.now() + 11, 1, Tags.NONE, "")))
          .isEqualTo("invalid: created_at is too far in the future");
      assertThat(answer(client, "[\"REQ\",\"a\",{},{}]")).contains("more than 1 filters");
      assertThat(client.queryIds("{}")).hasSize(2);
      assertThat(client.queryIds("{\"limit\":9}")).hasSize(3);
      assertThat(relay.information().get("limitation").toString())
          .contains("\"max_event_tags\":2", "\"max_tag_value_length\":5", "\"max_filters\":1")
          .contains("\"created_at_upper_limit\":10", "\"default_limit\":2", "\"max_limit\":3");
    }
  }

  @Test
  void lengthOfMessagesChangesForConnectedClientsButNotForAMessageThatHasBegun()
      throws IOException {
    try (TestRelay relay = new TestRelay();
        RawSocket begun = RawSocket.upgraded(relay.uri());
        RawSocket raw = RawSocket.upgraded(relay.uri())) {
      String notice = "[\"" + "x".repeat(6000) + "\"]";
      begun.sendFrame(RawSocket.TEXT, notice.substring(0, 5000).getBytes("US-ASCII"));
      begun.sendFrame(RawSocket.FINAL | RawSocket.PING, new byte[0]);
      assertThat(begun.read().opcode()).isEqualTo(RawSocket.PONG); // the beginning was received
      change(relay, Limit.MESSAGE_BYTES, 4096);
      begun.sendFrame(RawSocket.FINAL, notice.substring(5000).getBytes("US-ASCII"));
      assertThat(begun.nextText()).contains("unknown verb");
      raw.sendText(notice);
      assertThat(raw.awaitClose()).isEqualTo(1009);
      try (RawSocket small = RawSocket.upgraded(relay.uri())) {
        change(relay, Limit.MESSAGE_BYTES, 8192);
        small.sendText(notice);
        assertThat(small.nextText()).contains("unknown verb");
      }
    }
  }

  @Test
  void connectionsBeyondALoweredLimitStayAndNewOnesAreRefusedUntilEnoughHaveLeft() {
    try (TestRelay relay = new TestRelay();
        Client first = relay.connect();
        Client second = relay.connect()) {
      Client third = relay.connect();
      change(relay, Limit.CONNECTIONS_BY_ADDRESS, 10); // instead of a share
      change(relay, Limit.CONNECTIONS, 2);
      assertThatThrownBy(relay::connect).hasStackTraceContaining("status code 503");
      third.leave();
      await().until(() -> relay.metrics().read("connections") == 2);
      assertThatThrownBy(relay::connect).hasStackTraceContaining("status code 503");
      for (Client client : List.of(first, second)) {
        assertThat(answer(client, subscribe("a", "{\"limit\":0}"))).contains("EOSE");
      }
      change(relay, Limit.CONNECTIONS, 3);
      try (Client again = relay.connect()) {
        assertThatThrownBy(relay::connect).hasStackTraceContaining("status code 503");
        assertThat(again.unread()).isEmpty();
      }
    }
  }

  @Test
  void connectionsOfAnAddressAreCountedRightWhenTheirLimitChanges() {
    try (TestRelay relay = new TestRelay();
        Client first = relay.connect();
        Client second = relay.connect()) {
      change(relay, Limit.CONNECTIONS_BY_ADDRESS, 1);
      assertThatThrownBy(relay::connect).hasStackTraceContaining("status code 429");
      assertThat(answer(second, subscribe("a", "{\"limit\":0}"))).contains("EOSE");
      second.leave();
      await().until(() -> relay.metrics().read("connections") == 1);
      assertThatThrownBy(relay::connect).hasStackTraceContaining("status code 429");
      change(relay, Limit.CONNECTIONS_BY_ADDRESS, 2);
      try (Client third = relay.connect()) {
        assertThatThrownBy(relay::connect).hasStackTraceContaining("status code 429");
        change(relay, Limit.CONNECTIONS_BY_ADDRESS, 0);
        relay.connect().leave();
        assertThat(List.of(first.unread(), third.unread())).allMatch(List::isEmpty);
      }
    }
  }

  @Test
  void clientThatIsNotReadForItsUnansweredEventsIsReadAgainAfterTheLimitHasChanged() {
    for (int changed : List.of(2, 200)) {
      FaultyStore store = new FaultyStore();
      LimitValues limits = TestLimits.builder().set(Limit.EVENTS_UNDER_WAY, 16).build();
      try (TestRelay relay = new TestRelay(limits, store);
          Client client = relay.connect()) {
        store.blockCommits();
        for (int i = 0; i < 100; i++) {
          client.publishWithoutWaiting(ALICE.sign(relay.now(), 1, Tags.NONE, "x".repeat(4000) + i));
        }
        await().until(() -> relay.metrics().read("events_under_way") >= 16);
        change(relay, Limit.EVENTS_UNDER_WAY, changed);
        store.unblockCommits();
        for (int i = 0; i < 100; i++) {
          assertThat(client.next()).startsWith("[\"OK\"").endsWith(",true,\"\"]");
        }
        assertThat(relay.metrics().read("events_under_way")).isZero();
      }
    }
  }

  @Test
  void clientWithMoreInItsOutboxThanALoweredLimitIsDisconnectedByItsNextFrameOnly()
      throws IOException {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, new MemoryEventStore(1L << 30));
        Client writer = relay.connect();
        RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.uri())) {
      sleeper.sendText(subscribe("all", "{\"limit\":0}"));
      await().until(() -> relay.metrics().read("subscriptions") == 1);
      for (int i = 0; relay.metrics().read("outbox_bytes") < 2 << 20; i++) {
        writer.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, NOTE + i));
      }
      // The last note has been delivered to the sleeper as well.
      assertThat(answer(writer, subscribe("none", "{\"kinds\":[9]}"))).contains("EOSE");
      change(relay, Limit.OUTBOX_BYTES, 1 << 20);
      assertThat(answer(writer, subscribe("a", "{\"limit\":0}"))).contains("EOSE");
      assertThat(relay.metrics().read("connections")).isEqualTo(2);
      writer.publish(ALICE, relay.now(), 1, "one more");
      await().until(() -> relay.metrics().read("connections") == 1);
      await().until(() -> relay.metrics().read("outbox_bytes") == 0);
      assertThat(writer.until("OK")).last().asString().endsWith(",true,\"\"]");
    }
  }

  @Test
  void loweredBoundOnAllOutboxesDisconnectsSlowReadersAtOnceAndNobodyElse() throws IOException {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, new MemoryEventStore(1L << 30));
        Client writer = relay.connect();
        RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.uri())) {
      sleeper.sendText(subscribe("all", "{\"limit\":0}"));
      await().until(() -> relay.metrics().read("subscriptions") == 1);
      for (int i = 0; relay.metrics().read("outbox_bytes") < 2 << 20; i++) {
        writer.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, NOTE + i));
      }
      change(relay, Limit.ALL_OUTBOX_BYTES, 1 << 20);
      await().until(() -> relay.metrics().read("connections") == 1);
      await().until(() -> relay.metrics().read("outbox_bytes") == 0);
      assertThat(answer(writer, subscribe("a", "{\"limit\":0}"))).contains("EOSE");
    }
  }

  @Test
  void connectedClientIsPingedAfterAChangedTimeOfSilence() throws IOException {
    try (TestRelay relay = new TestRelay();
        RawSocket raw = RawSocket.upgraded(relay.uri())) {
      change(relay, Limit.SILENT_SECONDS, 1);
      assertThat(raw.read().opcode()).isEqualTo(RawSocket.PING);
      assertThat(raw.isAtEnd()).isTrue();
    }
  }
}
