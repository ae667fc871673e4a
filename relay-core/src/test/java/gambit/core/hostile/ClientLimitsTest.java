package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The limits on the requests of a client, each with its answer; the connection stays open. */
class ClientLimitsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final LimitValues SMALL =
      TestLimits.builder()
          .set(Limit.MESSAGE_BYTES, 4096)
          .set(Limit.EVENT_TAGS, 3)
          .set(Limit.TAG_VALUE_LENGTH, 100)
          .set(Limit.CONNECTIONS, 2)
          .set(Limit.CONNECTIONS_BY_ADDRESS, 2)
          .set(Limit.SUBSCRIPTIONS, 2)
          .set(Limit.FILTERS, 2)
          .set(Limit.FILTER_VALUES, 10)
          .set(Limit.DEFAULT_LIMIT, 4)
          .set(Limit.MAX_LIMIT, 6)
          .set(Limit.EVENTS_UNDER_WAY, 2)
          .set(Limit.ALL_FILTER_VALUES, 100)
          .build();

  @Test
  void subscriptionBeyondTheLimitIsRefusedUntilOneIsClosed() {
    try (TestRelay relay = new TestRelay(SMALL, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      client.send("[\"REQ\",\"a\",{\"limit\":0}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"a\"]");
      client.send("[\"REQ\",\"b\",{\"limit\":0}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"b\"]");
      client.send("[\"REQ\",\"a\",{\"limit\":0,\"kinds\":[1]}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"a\"]");
      client.send("[\"REQ\",\"c\",{\"limit\":0}]");
      assertThat(client.next())
          .isEqualTo("[\"CLOSED\",\"c\",\"error: more than 2 subscriptions\"]");
      client.send("[\"CLOSE\",\"a\"]");
      client.send("[\"REQ\",\"d\",{\"limit\":0}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"d\"]");
    }
  }

  @Test
  void failedQueryReleasesItsPlace() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(SMALL, store);
        Client client = relay.connect()) {
      store.setQueriesFail(true);
      for (int i = 0; i < 5; i++) {
        client.send("[\"REQ\",\"r" + i + "\",{\"kinds\":[1,2,3]}]");
        assertThat(client.next())
            .isEqualTo("[\"CLOSED\",\"r" + i + "\",\"error: the query failed\"]");
        client.send("[\"COUNT\",\"c" + i + "\",{\"kinds\":[1,2,3]}]");
        assertThat(client.next())
            .isEqualTo("[\"CLOSED\",\"c" + i + "\",\"error: the query failed\"]");
      }
      store.setQueriesFail(false);
      assertThat(client.queryIds("{\"kinds\":[1,2,3]}")).isEmpty();
    }
  }

  @Test
  void countsOfADisconnectedClientReleaseTheirPlacesOnABusyLane() {
    LimitValues limits = // 12 values for one address
        TestLimits.builder().set(Limit.FILTER_VALUES, 10).set(Limit.ALL_FILTER_VALUES, 24).build();
    FaultyStore store = new FaultyStore();
    store.blockQueries();
    try (TestRelay relay = new TestRelay(limits, store);
        Client busy = relay.connect();
        Client gone = relay.connect();
        Client next = relay.connect()) {
      busy.send("[\"REQ\",\"held\",{}]");
      store.awaitBlockedQuery();
      gone.send("[\"COUNT\",\"a\",{\"kinds\":[1,2,3,4]}]");
      gone.send("[\"COUNT\",\"b\",{\"kinds\":[1,2,3,4]}]");
      gone.send("[\"?\"]");
      assertThat(gone.next()).contains("NOTICE"); // they are under way
      assertThat(isAdmitted(next)).isFalse();
      gone.leave();
      await().until(() -> isAdmitted(next));
      store.unblockQueries();
    }
  }

  private static boolean isAdmitted(Client client) {
    client.send("[\"REQ\",\"r\",{\"kinds\":[1,2,3,4,5,6]}]");
    client.send("[\"?\"]");
    boolean isAdmitted = client.next().contains("NOTICE");
    if (!isAdmitted) {
      assertThat(client.next()).contains("NOTICE");
    }
    return isAdmitted;
  }

  @Test
  void filtersAndTheirValuesAreLimited() {
    try (TestRelay relay = new TestRelay(SMALL, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      client.send("[\"REQ\",\"a\",{},{},{}]");
      assertThat(client.next()).isEqualTo("[\"CLOSED\",\"a\",\"invalid: more than 2 filters\"]");
      client.send("[\"REQ\",\"a\",{\"kinds\":[1,2,3,4,5,6],\"limit\":0}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"a\"]");
      client.send("[\"REQ\",\"b\",{\"#t\":[\"1\",\"2\",\"3\",\"4\",\"5\"]}]");
      assertThat(client.next())
          .isEqualTo("[\"CLOSED\",\"b\",\"error: more than 10 filter values\"]");
      client.send("[\"CLOSE\",\"a\"]");
      client.send("[\"REQ\",\"b\",{\"#t\":[\"1\",\"2\",\"3\",\"4\",\"5\"]}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"b\"]");
    }
  }

  @Test
  void announcedNumberOfFilterValuesIsAcceptedForEveryCondition() {
    int announced = 10;
    Map<String, IntFunction<String>> sorts =
        Map.of(
            "ids", i -> "\"" + "%064x".formatted(i) + "\"",
            "authors", i -> "\"" + "%064x".formatted(i) + "\"",
            "#p", i -> "\"" + "%064x".formatted(i) + "\"",
            "#t", i -> "\"word " + i + "\"",
            "kinds", Integer::toString);
    try (TestRelay relay = new TestRelay(SMALL, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      assertThat(relay.information().at("/limitation/max_filter_values").asInt())
          .isEqualTo(announced);
      sorts.forEach(
          (field, value) -> {
            client.send(request(field, value, announced + 1));
            assertThat(client.next())
                .as(field)
                .isEqualTo("[\"CLOSED\",\"a\",\"error: more than 10 filter values\"]");
            client.send(request(field, value, announced));
            assertThat(client.next()).as(field).isEqualTo("[\"EOSE\",\"a\"]");
          });
    }
  }

  private static String request(String field, IntFunction<String> value, int count) {
    return IntStream.range(0, count)
        .mapToObj(value)
        .collect(Collectors.joining(",", "[\"REQ\",\"a\",{\"" + field + "\":[", "]}]"));
  }

  @Test
  void longFilterValueCountsSeveralTimes() {
    try (TestRelay relay = new TestRelay(SMALL, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      client.send("[\"REQ\",\"a\",{\"#t\":[\"" + "x".repeat(10 * 64 + 1) + "\"]}]");
      assertThat(client.next())
          .isEqualTo("[\"CLOSED\",\"a\",\"error: more than 10 filter values\"]");
      client.send("[\"REQ\",\"a\",{\"#t\":[\"" + "x".repeat(10 * 64) + "\"]}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"a\"]");
    }
  }

  @Test
  void filterLimitHasADefaultAndAMaximum() {
    try (TestRelay relay = new TestRelay(SMALL, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      for (int i = 0; i < 10; i++) {
        client.publish(ALICE, relay.now(), 1, "note " + i);
        client.next();
      }
      client.send("[\"REQ\",\"a\",{}]");
      assertThat(client.until("EOSE")).hasSize(4 + 1);
      client.send("[\"REQ\",\"a\",{\"limit\":9999}]");
      assertThat(client.until("EOSE")).hasSize(6 + 1);
      client.send("[\"REQ\",\"a\",{\"limit\":1},{\"kinds\":[1],\"limit\":3}]");
      assertThat(client.until("EOSE")).hasSize(3 + 1);
    }
  }

  @Test
  void eventWithTooManyTagsIsRefusedByItsId() {
    try (TestRelay relay = new TestRelay(SMALL, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      var event =
          ALICE.sign(relay.now(), 1, new Tags(Collections.nCopies(4, List.of("t", "x"))), "");
      client.publish(event);
      assertThat(client.next())
          .isEqualTo("[\"OK\",\"" + event.id() + "\",false,\"invalid: more than 3 tags\"]");
    }
  }

  @Test
  void clientBeyondTheLimitIsRefused() throws Exception {
    try (TestRelay relay = new TestRelay(SMALL, new MemoryEventStore(1 << 20));
        Client second = relay.connect()) {
      try (Client first = relay.connect()) {
        assertThatThrownBy(relay::connect).hasStackTraceContaining("status code 503");
        assertThat(first.unread()).isEmpty();
      }
      await().until(() -> relay.metrics().read("connections") == 1);
      try (Client third = relay.connect()) {
        third.send("[\"REQ\",\"a\",{\"limit\":0}]");
        assertThat(third.next()).isEqualTo("[\"EOSE\",\"a\"]");
        assertThat(second.unread()).isEmpty();
      }
    }
  }

  @Test
  void clientThatPublishesWithoutWaitingIsReadAsFastAsItIsAnswered() {
    LimitValues limits = TestLimits.builder().set(Limit.EVENTS_UNDER_WAY, 64).build();
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(limits, store);
        Client client = relay.connect()) {
      store.blockCommits();
      for (int i = 0; i < 300; i++) {
        client.publishWithoutWaiting(ALICE.sign(relay.now(), 1, Tags.NONE, "x".repeat(4000) + i));
      }
      await().until(() -> relay.metrics().read("events_under_way") >= 64);
      await()
          .during(Duration.ofMillis(200))
          .until(() -> relay.metrics().read("events_under_way") < 64 + 64);
      store.unblockCommits();
      for (int i = 0; i < 300; i++) {
        assertThat(client.next()).startsWith("[\"OK\"").endsWith(",true,\"\"]");
      }
      assertThat(relay.metrics().read("events_under_way")).isZero();
    }
  }
}
