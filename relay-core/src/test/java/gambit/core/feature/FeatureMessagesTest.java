package gambit.core.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.testkit.Client;
import gambit.core.testkit.ErrorLog;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.ClientMessage.FeatureMessage;
import gambit.core.wire.MessageForm;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of a feature and its queries for stored events, by the example of IdListing. */
class FeatureMessagesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");

  private final IdListing listing = new IdListing();

  @Test
  void featureAnswersItsVerbWithStoredEventsNewestFirst() {
    try (TestRelay relay = new TestRelay(listing);
        Client client = relay.connect()) {
      Event older = client.publishAccepted(note(relay.now() - 20, 1));
      Event newer = client.publishAccepted(note(relay.now() - 10, 1));
      client.publishAccepted(note(relay.now() - 5, 2));
      client.send("[\"IDS\",\"x\",{\"kinds\":[1]}]");
      assertThat(client.next()).isEqualTo(answer("x", newer));
      assertThat(client.next()).isEqualTo(answer("x", older));
      assertThat(client.next()).isEqualTo("[\"IDS-END\",\"x\"]");
      client.send("[\"IDS\",\"y\",{\"kinds\":[1],\"limit\":1}]"); // the receiver has enough
      assertThat(client.next()).isEqualTo(answer("y", newer));
      assertThat(client.next()).isEqualTo("[\"IDS-END\",\"y\"]");
    }
  }

  private static Event note(long createdAt, int kind) {
    return ALICE.sign(createdAt, kind, Tags.NONE, "");
  }

  private static String answer(String id, Event event) {
    return "[\"ID\",\"" + id + "\",\"" + event.id() + "\",\"" + event.createdAt() + "\"]";
  }

  @Test
  void eventsThatTheClientMayNotReadStayHidden() {
    try (TestRelay relay = new TestRelay(listing);
        Client stranger = relay.connect();
        Client bob = relay.connect().login(relay.now(), BOB)) {
      Tags toBob = new Tags(List.of(List.of("p", BOB.pubkey().hex())));
      Event wrap = ALICE.sign(relay.now() - 20, Kind.GIFT_WRAP, toBob, "");
      stranger.publishAccepted(wrap);
      Event note = stranger.publishAccepted(note(relay.now() - 10, 1));
      stranger.send("[\"IDS\",\"x\",{}]");
      assertThat(stranger.next()).isEqualTo(answer("x", note));
      assertThat(stranger.next()).isEqualTo("[\"IDS-END\",\"x\"]");
      bob.send("[\"IDS\",\"x\",{\"kinds\":[1059]}]");
      assertThat(bob.next()).isEqualTo(answer("x", wrap));
      assertThat(bob.next()).isEqualTo("[\"IDS-END\",\"x\"]");
      stranger.nextChallenge();
      stranger.send("[\"IDS\",\"x\",{\"kinds\":[1059]}]");
      assertThat(stranger.next()).startsWith("[\"IDS-ERR\",\"x\",\"auth-required: ");
      stranger.nextChallenge();
    }
  }

  @Test
  void queriesAndSubscriptionsShareTheBounds() {
    LimitValues small =
        TestLimits.builder().set(Limit.SUBSCRIPTIONS, 1).set(Limit.FILTER_VALUES, 10).build();
    try (TestRelay relay = new TestRelay(small, new MemoryEventStore(1 << 20), listing);
        Client client = relay.connect()) {
      client.send("[\"REQ\",\"r\",{\"limit\":0}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"r\"]");
      client.send("[\"IDS\",\"x\",{}]");
      assertThat(client.next())
          .isEqualTo("[\"IDS-ERR\",\"x\",\"error: more than 1 subscriptions\"]");
      client.send("[\"CLOSE\",\"r\"]");
      client.send("[\"IDS\",\"x\",{\"kinds\":[1,2,3,4,5,6,7,8,9,10,11]}]");
      assertThat(client.next())
          .isEqualTo("[\"IDS-ERR\",\"x\",\"error: more than 10 filter values\"]");
      for (int i = 0; i < 5; i++) { // each releases its reservation
        client.send("[\"IDS\",\"x\",{\"kinds\":[1,2,3,4,5,6,7,8]}]");
        assertThat(client.next()).isEqualTo("[\"IDS-END\",\"x\"]");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "['IDS','x']|['IDS-ERR','x','invalid: a filter must be an object']",
        "['IDS','x',1]|['IDS-ERR','x','invalid: a filter must be an object']",
        "['IDS','x',{'kinds':1}]|['IDS-ERR','x','invalid: kinds must be an array']",
        "['IDS','x',{'search':''}]|['IDS-ERR','x','unsupported: unknown filter field']",
        "['IDS','x',{},{}]"
            + "|['IDS-ERR','x','invalid: the form of the message is [IDS, id, filter]']",
        "['IDS-CLOSE','x',1]"
            + "|['IDS-ERR','x','invalid: the form of the message is [IDS-CLOSE, id]']",
        "['IDS','x',{}]]|['IDS-ERR','x','invalid: malformed JSON']",
        "['IDS','x',{}|['IDS-ERR','x','invalid: malformed JSON']",
        "['IDS',{}]|['NOTICE','invalid: a subscription id must be a string of 1 to 64 characters']",
        "['ids','x',{}]|['NOTICE','invalid: unknown verb']",
        "['IDS|['NOTICE','invalid: malformed JSON']",
      })
  void malformedMessageIsRefused(String message, String answer) {
    try (TestRelay relay = new TestRelay(listing);
        Client client = relay.connect()) {
      client.send(message.replace('\'', '"'));
      assertThat(client.next()).isEqualTo(answer.replace('\'', '"'));
      client.send("[\"IDS\",\"y\",{}]");
      assertThat(client.next()).isEqualTo("[\"IDS-END\",\"y\"]");
    }
  }

  @Test
  void messageThatIsTooLongEndsTheConnection() {
    LimitValues small = TestLimits.builder().set(Limit.MESSAGE_BYTES, 4096).build();
    try (TestRelay relay = new TestRelay(small, new MemoryEventStore(1 << 20), listing);
        Client client = relay.connect()) {
      client.send("[\"IDS\",\"x\",{}" + " ".repeat(4096) + "]");
      assertThat(client.awaitClose()).isEqualTo(1009);
    }
  }

  @Test
  void rateLimitsApplyAsRegistered() {
    RateLimits rates = new RateLimits(Map.of(Verb.REQ, Rate.parse("2/h")), Map.of());
    try (TestRelay relay =
            new TestRelay(LimitValues.DEFAULT, rates, TransportSettings.DEFAULT, listing);
        Client client = relay.connect()) {
      for (int i = 0; i < 2; i++) {
        client.send("[\"IDS-CLOSE\",\"x\"]");
        client.send("[\"IDS-CLOSE\",\"x\"]");
        client.send("[\"IDS\",\"x\",{}]");
        assertThat(client.next()).isEqualTo("[\"IDS-END\",\"x\"]");
      }
      client.send("[\"IDS\",\"x\",{}]");
      assertThat(client.next()).startsWith("[\"IDS-ERR\",\"x\",\"rate-limited: ");
    }
  }

  @Test
  void closedConnectionAbandonsItsQueryAndReleasesItsBounds() {
    LimitValues small =
        TestLimits.builder().set(Limit.FILTER_VALUES, 4).set(Limit.ALL_FILTER_VALUES, 9).build();
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(small, store, listing);
        Client client = relay.connect();
        Client next = relay.connect()) {
      store.blockQueries();
      client.send("[\"IDS\",\"x\",{\"kinds\":[1,2,3,4]}]");
      store.awaitBlockedQuery();
      client.abort();
      await().until(() -> listing.closed() == 1);
      next.send("[\"IDS\",\"x\",{\"kinds\":[1,2,3,4]}]");
      assertThat(next.next()).startsWith("[\"IDS-ERR\",\"x\",\"error: too many filter values");
      store.unblockQueries();
      await().until(() -> listing.abandoned() == 1);
      next.send("[\"IDS\",\"x\",{\"kinds\":[1,2,3,4]}]");
      assertThat(next.next()).isEqualTo("[\"IDS-END\",\"x\"]");
    }
  }

  @Test
  void cancelledQueryHasNoAnswer() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, listing);
        Client client = relay.connect()) {
      store.blockQueries();
      client.send("[\"IDS\",\"x\",{}]");
      store.awaitBlockedQuery();
      client.send("[\"IDS\",\"y\",{}]");
      client.send("[\"IDS-CLOSE\",\"y\"]");
      await().until(() -> listing.abandoned() == 1); // the one that waits
      client.send("[\"IDS\",\"x\",{}]");
      client.send("[\"?\"]");
      assertThat(client.next()).isEqualTo("[\"NOTICE\",\"invalid: unknown verb\"]");
      store.unblockQueries();
      assertThat(client.next()).isEqualTo("[\"IDS-END\",\"x\"]");
      assertThat(listing.abandoned()).isEqualTo(2);
      client.send("[\"?\"]");
      assertThat(client.next()).isEqualTo("[\"NOTICE\",\"invalid: unknown verb\"]");
    }
  }

  @Test
  void cancelledQueryTakesNoFurtherEvents() {
    try (TestRelay relay = new TestRelay(listing);
        Client client = relay.connect()) {
      Event older = client.publishAccepted(note(relay.now() - 20, 1));
      Event newer = client.publishAccepted(note(relay.now() - 10, 1));
      listing.pauseAfterAnswers();
      client.send("[\"IDS\",\"x\",{}]");
      assertThat(client.next()).isEqualTo(answer("x", newer));
      client.send("[\"IDS-CLOSE\",\"x\"]");
      client.send("[\"?\"]");
      assertThat(client.next()).isEqualTo("[\"NOTICE\",\"invalid: unknown verb\"]");
      listing.resume();
      await().until(() -> listing.abandoned() == 1);
      client.send("[\"IDS\",\"y\",{\"until\":" + older.createdAt() + "}]");
      assertThat(client.next()).isEqualTo(answer("y", older));
    }
  }

  @Test
  void featureThatFailsOnCloseDoesNotHideTheCloseFromOthers() {
    AtomicInteger closed = new AtomicInteger();
    Feature failing =
        relay -> {
          relay.messages(Map.of(MessageForm.of("HELLO"), Verb.REQ), FailingHandler::new);
          relay.listen(connection -> closed.incrementAndGet());
        };
    try (TestRelay relay = new TestRelay(failing);
        ErrorLog log = ErrorLog.capture()) {
      Client client = relay.connect();
      client.send("[\"HELLO\",\"x\"]");
      client.send("[\"?\"]");
      assertThat(client.next()).isEqualTo("[\"NOTICE\",\"invalid: unknown verb\"]");
      client.close();
      await().until(() -> closed.get() == 1);
      assertThat(log.messages()).containsExactly("A feature failed when a connection was closed");
    }
  }

  private record FailingHandler(ClientSession session) implements MessageHandler {
    @Override
    public void receive(FeatureMessage message) {}

    @Override
    public void refuse(String verb, String id, Reason reason) {}

    @Override
    public void closed() {
      throw new IllegalStateException("for the test");
    }
  }

  @Test
  void queryThatFailsIsRefused() {
    FaultyStore store = new FaultyStore();
    store.setQueriesFail(true);
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, listing);
        Client client = relay.connect();
        ErrorLog log = ErrorLog.capture()) {
      client.send("[\"IDS\",\"x\",{}]");
      assertThat(client.next()).isEqualTo("[\"IDS-ERR\",\"x\",\"error: the query failed\"]");
      assertThat(log.messages()).containsExactly("The query of a feature failed");
    }
  }

  @Test
  void verbHasOneFeature() {
    assertThatThrownBy(() -> new TestRelay(new IdListing(), new IdListing()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the verb IDS is taken");
    Feature closing =
        relay ->
            relay.messages(
                Map.of(MessageForm.of("CLOSE"), Verb.CLOSE),
                session -> {
                  throw new AssertionError("CLOSE is not a feature's");
                });
    assertThatThrownBy(() -> new TestRelay(closing)).hasMessage("the verb CLOSE is taken");
  }
}
