package gambit.core.frames;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.Frame;
import gambit.core.wire.FrameLabel;
import gambit.core.wire.RelayMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries and subscriptions, over a real socket. */
class QueryRulesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final String ID =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

  private final TestRelay relay = new TestRelay();
  private final Client client = relay.connect();

  @AfterEach
  void end() {
    client.close();
    relay.close();
  }

  @Test
  @DisplayName("of equally old events the one with the lowest id comes first, and limit cuts there")
  void eventsOfOneSecondAreOrderedById() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ids.add(client.publishAccepted(ALICE.sign(1000, 1, Tags.NONE, "note " + i)).id().hex());
    }
    ids.sort(Comparator.naturalOrder());
    assertThat(client.queryIds("{\"since\":1000,\"until\":1000}")).isEqualTo(ids);
    assertThat(client.queryIds("{\"limit\":7}")).isEqualTo(ids.subList(0, 7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"ids\":[]}",
        "{\"authors\":[]}",
        "{\"kinds\":[]}",
        "{\"#t\":[]}",
        "{\"since\":2,\"until\":1}",
        "{\"limit\":0}",
        "{\"since\":18446744073709551615}",
        "{\"kinds\":[1],\"#e\":[]}"
      })
  @DisplayName("empty lists, since behind until and limit 0 find nothing stored: EOSE")
  void filterWithoutResultsIsAnsweredWithEose(String filter) {
    client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "note"));
    client.send("[\"REQ\",\"q\"," + filter + "]");
    assertThat(client.next()).isEqualTo("[\"EOSE\",\"q\"]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"search\":\"chess\"}",
        "{\"kinds\":[1],\"cache\":true}",
        "{\"#ee\":[\"x\"]}",
        "{\"#\":[\"x\"]}",
        "{\"#é\":[\"x\"]}",
        "{\"#1\":[\"x\"]}",
        "{\"&t\":[\"x\"]}",
        "{\"Kinds\":[1]}",
        "{\"limit\":1,\"\":0}"
      })
  @DisplayName("unknown filter fields: unsupported, for REQ and COUNT")
  void unknownFieldsAreUnsupported(String filter) {
    for (String verb : List.of("REQ", "COUNT")) {
      client.send("[\"" + verb + "\",\"q\"," + filter + "]");
      assertThat(client.next())
          .isEqualTo("[\"CLOSED\",\"q\",\"unsupported: unknown filter field\"]");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7",
        "null",
        "[]",
        "\"x\"",
        "{\"ids\":\"" + ID + "\"}",
        "{\"ids\":[7]}",
        "{\"ids\":[\"0123\"]}",
        "{\"authors\":[\"0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef\"]}",
        "{\"authors\":[null]}",
        "{\"authors\":{}}",
        "{\"#e\":[\"" + ID + "0\"]}",
        "{\"#p\":[\"\"]}",
        "{\"#t\":\"x\"}",
        "{\"#t\":[1]}",
        "{\"#t\":[\"\\ud800\"]}",
        "{\"kinds\":1}",
        "{\"kinds\":[\"1\"]}",
        "{\"kinds\":[1.0]}",
        "{\"kinds\":[1e3]}",
        "{\"kinds\":[-1]}",
        "{\"kinds\":[65536]}",
        "{\"kinds\":[null]}",
        "{\"since\":\"1\"}",
        "{\"since\":null}",
        "{\"since\":1.0}",
        "{\"until\":-1}",
        "{\"until\":1e10}",
        "{\"limit\":-1}",
        "{\"limit\":1.5}",
        "{\"limit\":\"1\"}",
        "{\"limit\":01}",
        "{\"kinds\":[1],\"kinds\":[1]}",
        "{\"kinds\":[1,]}",
        "{\"kinds\":[1]},",
        "{\"kinds\":[1]} garbage",
        "{\"kinds\":[1]}]]"
      })
  @DisplayName("wrong types: CLOSED invalid, for REQ and COUNT")
  void wrongTypesAreInvalid(String filter) {
    for (String verb : List.of("REQ", "COUNT")) {
      client.send("[\"" + verb + "\",\"q\"," + filter + "]");
      assertThat(client.next()).as(verb).startsWith("[\"CLOSED\",\"q\",\"invalid: ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"REQ\"]",
        "[\"REQ\",7,{}]",
        "[\"REQ\",null,{}]",
        "[\"REQ\",[\"q\"],{}]",
        "[\"REQ\",\"\",{}]",
        "[\"REQ\",{}]",
        "[\"COUNT\",\"\",{}]",
        "[\"CLOSE\"]",
        "[\"CLOSE\",7]",
        "[\"REQ\",\"\\ud800\",{}]",
        "[\"REQ\",\"unterminated"
      })
  @DisplayName("where the subscription id cannot be read: NOTICE")
  void reqWithoutASubscriptionIdIsAnsweredWithANotice(String message) {
    client.send(message);
    assertThat(client.next()).startsWith("[\"NOTICE\",\"invalid: ");
  }

  @Test
  @DisplayName("filter values are bounded for all connections together")
  void filterValuesOfAllConnectionsAreBounded() {
    LimitValues small =
        TestLimits.builder().set(Limit.FILTER_VALUES, 20).set(Limit.ALL_FILTER_VALUES, 30).build();
    String filter = "{\"kinds\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16],\"limit\":0}";
    try (TestRelay other = new TestRelay(small, new MemoryEventStore(1 << 20));
        Client second = other.connect()) {
      try (Client first = other.connect()) {
        first.send("[\"REQ\",\"q\"," + filter + "]");
        assertThat(first.next()).isEqualTo("[\"EOSE\",\"q\"]");
        for (String verb : List.of("REQ", "COUNT")) {
          second.send("[\"" + verb + "\",\"q\"," + filter + "]");
          assertThat(second.next())
              .isEqualTo(
                  "[\"CLOSED\",\"q\",\"error: too many filter values of your address or of all, try again later\"]");
        }
        first.send("[\"CLOSE\",\"q\"]").send("[\"COUNT\",\"sync\",{}]").until("COUNT");
        second.send("[\"REQ\",\"q\"," + filter + "]");
        assertThat(second.next()).isEqualTo("[\"EOSE\",\"q\"]");
      }
    }
  }

  @Test
  @DisplayName("live events keep the order of the commits, the same for every subscription")
  void liveEventsArriveInCommitOrder() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    EventStore store = directory.open();
    try (TestRelay other = new TestRelay(LimitValues.DEFAULT, store);
        Client one = other.connect();
        Client two = other.connect()) {
      one.send("[\"REQ\",\"q\",{\"limit\":0}]").until("EOSE");
      two.send("[\"REQ\",\"q\",{\"authors\":[\"" + ALICE.pubkey() + "\"],\"limit\":0}]")
          .until("EOSE");
      List<CompletableFuture<Void>> writers =
          IntStream.range(0, 4)
              .mapToObj(n -> CompletableFuture.runAsync(() -> write(other, n)))
              .toList();
      List<String> seen = contents(one, 200);
      assertThat(contents(two, 200)).isEqualTo(seen);
      writers.forEach(CompletableFuture::join);
      List<StoredEvent> stored = new ArrayList<>();
      Query query =
          store.query(new Filter(null, null, null, Map.of(), null, null, null), Long.MAX_VALUE);
      Page page;
      do {
        page = query.next(1000, 1 << 20);
        stored.addAll(page.found());
      } while (!page.isLast());
      stored.sort(Comparator.comparingLong(StoredEvent::offset));
      assertThat(stored.stream().map(it -> it.event().content())).isEqualTo(seen);
    } finally {
      directory.delete();
    }
  }

  private static void write(TestRelay relay, int writer) {
    try (Client client = relay.connect()) {
      for (int i = 0; i < 50; i++) {
        client.publish(ALICE.sign(relay.now() - i, 1, Tags.NONE, writer + "/" + i));
      }
      for (int i = 0; i < 50; i++) {
        assertThat(client.next()).endsWith(",true,\"\"]");
      }
    }
  }

  private static List<String> contents(Client client, int count) {
    List<String> contents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      JsonNode frame = client.nextJson();
      contents.add(frame.get(2).get("content").asText());
    }
    return contents;
  }

  @Test
  @DisplayName("an event is encoded once, and its bytes are shared by all receivers")
  void eventIsEncodedOnceForAllSubscribers() {
    Event event = ALICE.sign(relay.now(), 1, Tags.NONE, "hello");
    for (String subscription : List.of("one", "another")) {
      List<byte[]> pieces = new ArrayList<>();
      Frame frame =
          new RelayMessage.EventMessage(FrameLabel.subscription(subscription), event).frame();
      pieces.addAll(List.of(frame.pieces()));
      assertThat(pieces).anyMatch(piece -> piece == event.json());
      assertThat(frame).hasToString("[\"EVENT\",\"" + subscription + "\"," + event + "]");
    }
  }

  @Test
  @DisplayName("ids, authors and tag values that nobody has stored are simply not found")
  void valuesThatNoEventHasFindNothing() {
    client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "note"));
    assertThat(client.queryIds("{\"ids\":[\"" + EventId.ofHex(ID) + "\"]}")).isEmpty();
    assertThat(client.queryIds("{\"authors\":[\"" + ID + "\"]}")).isEmpty();
    assertThat(client.queryIds("{\"#e\":[\"" + ID + "\"],\"#E\":[\"\"]}")).isEmpty();
  }
}
