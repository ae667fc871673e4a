package gambit.core.feature;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Subscribers receive the current states before EOSE, and then every change. */
class PublishedStatesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final int KIND = 20_302;
  private static final String ALL = "{\"kinds\":[20302]}";

  private final Boards boards = new Boards();
  private int lists;

  /** A feature that publishes given states; it keeps the events that were built on demand. */
  private static final class Boards implements Feature {
    private final List<LazilySignedEvent> lazyEvents = new CopyOnWriteArrayList<>();
    private @Nullable Publisher publisher;
    private @Nullable Signer signer;

    @Override
    public void install(RelayBuilder relay) {
      publisher = relay.publisher();
      signer = relay.signer();
    }

    void tell(int key, long at, String content, PubKey... players) {
      tell(key, at, content, false, players);
    }

    void end(int key, long at, String content) {
      tell(key, at, content, true);
    }

    void remove(int key) {
      if (publisher == null) {
        throw new AssertionError("not installed");
      }
      publisher.send(List.of(new Outgoing.StateRemoval(key(key).hex(), KIND)));
    }

    private void tell(int key, long at, String content, boolean ends, PubKey... players) {
      if (publisher == null) {
        throw new AssertionError("not installed");
      }
      publisher.send(
          List.of(
              new Outgoing.Current(
                  key(key).hex(),
                  KIND,
                  Set.of(players),
                  () -> lazyEvent(key, at, content, players),
                  ends)));
    }

    private LazilySignedEvent lazyEvent(int key, long at, String content, PubKey... players) {
      if (signer == null) {
        throw new AssertionError("not installed");
      }
      List<List<String>> tags = new ArrayList<>();
      tags.add(List.of("d", key(key).hex()));
      Arrays.stream(players).forEach(player -> tags.add(List.of("p", player.hex())));
      LazilySignedEvent lazyEvent = signer.signLazily(at, KIND, new Tags(tags), content);
      lazyEvents.add(lazyEvent);
      return lazyEvent;
    }

    /** The number of signed events. */
    long signed() {
      return lazyEvents.stream()
          .filter(lazyEvent -> !Arrays.equals(lazyEvent.unsigned().sig(), new byte[64]))
          .count();
    }
  }

  private static EventId key(int number) {
    byte[] bytes = new byte[32];
    bytes[30] = (byte) (number >> 8);
    bytes[31] = (byte) number;
    return new EventId(bytes);
  }

  /** The contents of the states sent before EOSE, without those of an earlier list. */
  private List<String> listed(Client client, String... filters) {
    String name = "list " + lists++;
    client.send("[\"REQ\",\"" + name + "\"," + String.join(",", filters) + "]");
    List<JsonNode> frames = client.until("EOSE");
    client.send("[\"CLOSE\",\"" + name + "\"]");
    return frames.stream()
        .filter(frame -> frame.get(0).asText().equals("EVENT"))
        .filter(frame -> frame.get(1).asText().equals(name))
        .map(frame -> frame.get(2).get("content").asText())
        .toList();
  }

  @Test
  void statesAreCountedOnceEachLikeStoredEvents() {
    try (TestRelay relay = new TestRelay(boards);
        Client client = relay.connect()) {
      boards.tell(1, 100, "one");
      boards.tell(2, 200, "two");
      boards.tell(3, 200, "three");
      boards.end(3, 500, "three is over");
      client.send("[\"COUNT\",\"c\"," + ALL + "," + ALL + "]");
      assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":2}]");
      client.send("[\"COUNT\",\"c\",{\"authors\":[\"" + relay.signer().pubkey() + "\"]}]");
      assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":0}]");
      String relays = "{\"authors\":[\"" + relay.signer().pubkey() + "\"]}";
      client.send("[\"COUNT\",\"c\"," + relays + "," + ALL + "]");
      assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":2}]");
    }
  }

  @Test
  void changesMatchFiltersWithoutKinds() {
    try (TestRelay relay = new TestRelay(boards);
        Client client = relay.connect()) {
      boards.tell(1, 100, "one");
      client.send("[\"REQ\",\"all\",{\"authors\":[\"" + relay.signer().pubkey() + "\"]}]");
      assertThat(client.until("EOSE")).hasSize(1);
      boards.tell(1, 200, "one moved");
      assertThat(client.nextJson().get(2).get("content").asText()).isEqualTo("one moved");
    }
  }

  @Test
  void statesAreSentNewestFirstThenEveryChangeAndTheEndOnce() {
    try (TestRelay relay = new TestRelay(boards);
        Client client = relay.connect()) {
      boards.tell(1, 100, "one");
      boards.tell(2, 200, "two");
      boards.tell(3, 200, "three");
      boards.tell(1, 300, "one moved");
      assertThat(listed(client, ALL)).startsWith("one moved").hasSize(3).contains("two", "three");
      client.send("[\"REQ\",\"live\"," + ALL + "]").until("EOSE");
      boards.tell(2, 400, "two moved");
      boards.end(3, 500, "three is over");
      boards.tell(4, 600, "four");
      for (String content : List.of("two moved", "three is over", "four")) {
        JsonNode frame = client.nextJson();
        assertThat(frame.get(1).asText()).isEqualTo("live");
        assertThat(frame.get(2).get("content").asText()).isEqualTo(content);
      }
      assertThat(listed(client, ALL)).containsExactly("four", "two moved", "one moved");
    }
  }

  @Test
  void statesAreSignedOnceAndEqualForAllClients() {
    try (TestRelay relay = new TestRelay(boards);
        Client first = relay.connect();
        Client second = relay.connect()) {
      first.send("[\"REQ\",\"q\"," + ALL + "]").until("EOSE");
      boards.tell(1, 100, "one");
      String told = first.next();
      second.send("[\"REQ\",\"q\"," + ALL + "]");
      assertThat(second.next()).isEqualTo(told);
      assertThat(boards.lazyEvents).hasSize(1);
      Event event = boards.lazyEvents.get(0).signed();
      assertThat(told).isEqualTo("[\"EVENT\",\"q\"," + event + "]");
      assertThat(event.id()).isEqualTo(boards.lazyEvents.get(0).id());
      EventVerifier verifier = new EventVerifier();
      assertThat(verifier.hasValidId(event) && verifier.hasValidSignature(event)).isTrue();
    }
  }

  @Test
  void statesAreNeitherBuiltNorSignedWithoutASubscriber() {
    try (TestRelay relay = new TestRelay(boards);
        Client client = relay.connect()) {
      client.send("[\"REQ\",\"notes\",{\"kinds\":[1]}]").until("EOSE");
      client.send("[\"REQ\",\"one\",{\"ids\":[\"" + key(1) + "\"]}]").until("EOSE");
      client.send("[\"REQ\",\"bob\",{\"#p\":[\"" + BOB.pubkey() + "\"]}]").until("EOSE");
      client.send("[\"REQ\",\"by bob\",{\"authors\":[\"" + BOB.pubkey() + "\"]}]").until("EOSE");
      for (int i = 0; i < 100; i++) {
        boards.tell(i % 10, 100 + i, "state " + i, ALICE.pubkey());
      }
      assertThat(listed(client, "{\"kinds\":[1]}", "{\"since\":1}")).isEmpty();
      assertThat(boards.lazyEvents).isEmpty();
      assertThat(listed(client, "{\"kinds\":[20302],\"limit\":0}")).isEmpty();
      assertThat(boards.lazyEvents).isEmpty();
      assertThat(listed(client, "{\"kinds\":[20302],\"limit\":2}")).hasSize(2);
      assertThat(boards.lazyEvents).hasSize(2);
      assertThat(boards.signed()).isEqualTo(2);
      assertThat(listed(client, "{\"kinds\":[20302],\"#d\":[\"" + key(0) + "\"],\"until\":1}"))
          .isEmpty();
      assertThat(boards.lazyEvents).hasSize(3);
      assertThat(boards.signed()).as("looked at only").isEqualTo(2);
      client.send("[\"REQ\",\"q\",{\"kinds\":[20302],\"#d\":[\"" + key(7) + "\"]}]");
      client.until("EOSE");
      long before = boards.signed();
      boards.tell(5, 500, "of another thing");
      boards.tell(7, 501, "of this one");
      assertThat(client.nextJson().get(2).get("content").asText()).isEqualTo("of this one");
      assertThat(boards.signed()).isEqualTo(before + 1);
    }
  }

  @Test
  void statesAreFoundByKeyAndByTaggedPlayerHoweverManyAreNewer() {
    try (TestRelay relay = new TestRelay(boards);
        Client client = relay.connect()) {
      boards.tell(0, 1, "the oldest", ALICE.pubkey(), BOB.pubkey());
      boards.tell(1, 2, "the next", BOB.pubkey());
      for (int i = 2; i < 700; i++) {
        boards.tell(i, i, "state " + i);
      }
      assertThat(listed(client, ALL))
          .isEqualTo(IntStream.range(0, 500).mapToObj(i -> "state " + (699 - i)).toList());
      String oldest = "{\"kinds\":[20302],\"#d\":[\"" + key(0) + "\",\"7\",\"" + key(999) + "\"]}";
      assertThat(listed(client, oldest)).containsExactly("the oldest");
      String alices = "{\"kinds\":[20302],\"#p\":[\"" + ALICE.pubkey() + "\"]}";
      String bobs = "{\"kinds\":[20302],\"#p\":[\"" + BOB.pubkey() + "\"]}";
      assertThat(listed(client, alices)).containsExactly("the oldest");
      assertThat(listed(client, bobs)).containsExactly("the next", "the oldest");
      assertThat(listed(client, alices, bobs, oldest)).as("each once").hasSize(2);
      boards.end(0, 3, "over");
      assertThat(listed(client, alices, oldest)).isEmpty();
      assertThat(listed(client, bobs)).containsExactly("the next");
    }
  }

  @Test
  void statesMustMeetEveryConditionOfAFilter() {
    try (TestRelay relay = new TestRelay(boards);
        Client client = relay.connect()) {
      boards.tell(1, 100, "one");
      boards.tell(2, 200, "two");
      boards.tell(3, 300, "three");
      assertThat(listed(client, ALL)).containsExactly("three", "two", "one");
      String two =
          boards.lazyEvents.stream()
              .map(LazilySignedEvent::unsigned)
              .filter(event -> event.content().equals("two"))
              .findFirst()
              .orElseThrow()
              .id()
              .hex();
      String relays = relay.signer().pubkey().hex();
      assertThat(listed(client, "{\"kinds\":[20302],\"since\":200}"))
          .containsExactly("three", "two");
      assertThat(listed(client, "{\"kinds\":[20302],\"until\":200}")).containsExactly("two", "one");
      assertThat(listed(client, "{\"kinds\":[20302],\"ids\":[\"" + two + "\"]}"))
          .containsExactly("two");
      assertThat(listed(client, "{\"kinds\":[20302],\"authors\":[\"" + relays + "\"]}")).hasSize(3);
      assertThat(listed(client, "{\"kinds\":[20302],\"authors\":[\"" + ALICE.pubkey() + "\"]}"))
          .isEmpty();
      assertThat(listed(client, "{\"kinds\":[20302],\"#t\":[\"x\"]}")).isEmpty();
      assertThat(listed(client, "{\"kinds\":[20301,20303]}")).isEmpty();
      assertThat(listed(client, "{}")).as("not asked for by name").isEmpty();
      client.send("[\"COUNT\",\"c\"," + ALL + "]");
      assertThat(client.nextJson().get(2).get("count").asInt()).isEqualTo(3);
    }
  }

  @Test
  void filterLimitCoversStatesAndStoredEventsInOneOrder() {
    try (TestRelay relay = new TestRelay(boards);
        Client client = relay.connect()) {
      for (int at : new int[] {100, 300, 500, 700}) {
        client.publishAccepted(ALICE.sign(at, 1, Tags.NONE, "note " + at));
      }
      for (int at : new int[] {200, 400, 600, 800}) {
        boards.tell(at, at, "state " + at);
      }
      List<String> all =
          IntStream.range(0, 8)
              .map(i -> 800 - 100 * i)
              .mapToObj(at -> (at % 200 == 0 ? "state " : "note ") + at)
              .toList();
      for (int limit = 0; limit <= 9; limit++) {
        String filter = "{\"kinds\":[1,20302],\"limit\":" + limit + "}";
        assertThat(listed(client, filter)).isEqualTo(all.subList(0, Math.min(limit, 8)));
        assertThat(listed(client, filter, filter)).hasSize(Math.min(limit, 8));
      }
      assertThat(
              listed(
                  client,
                  "{\"kinds\":[1],\"limit\":1}",
                  "{\"kinds\":[20302],\"limit\":2}",
                  "{\"kinds\":[1,20302],\"until\":200}"))
          .containsExactly("state 800", "note 700", "state 600", "state 200", "note 100");
    }
  }

  @Test
  void statesPublishedDuringInstallationAreServed() {
    Feature restored =
        builder -> {
          boards.install(builder);
          boards.tell(1, 100, "still running");
        };
    try (TestRelay relay = new TestRelay(restored);
        Client client = relay.connect()) {
      assertThat(listed(client, ALL)).containsExactly("still running");
    }
  }

  @Test
  void readGuardsApplyToStates() {
    ReadGuard guard =
        new ReadGuard() {
          @Override
          public KindSet kinds() {
            return KindSet.of(KIND);
          }

          @Override
          public boolean mayRead(Event event, ClientConnection reader) {
            return !event.content().startsWith("secret");
          }

          @Override
          public boolean mayFind(Filter filter, ClientConnection reader) {
            return true;
          }
        };
    try (TestRelay relay = new TestRelay(boards, builder -> builder.guard(guard));
        Client client = relay.connect()) {
      boards.tell(1, 100, "open");
      boards.tell(2, 200, "secret");
      assertThat(listed(client, ALL)).containsExactly("open");
      client.send("[\"REQ\",\"live\"," + ALL + "]").until("EOSE");
      boards.tell(2, 300, "secret too");
      boards.tell(1, 400, "open too");
      assertThat(client.nextJson().get(2).get("content").asText()).isEqualTo("open too");
    }
  }

  @Test
  void noChangeIsMissedOrRepeatedWhileStatesChange() {
    int things = 40;
    int changes = 10;
    try (TestRelay relay = new TestRelay(boards);
        Client client = relay.connect()) {
      for (int thing = 0; thing < things; thing++) {
        boards.tell(thing, 0, "0");
      }
      for (int round = 0; round < 20; round++) {
        int first = round * changes + 1;
        int last = first + changes - 1;
        CompletableFuture<Void> changing =
            CompletableFuture.runAsync(
                () -> {
                  for (int change = first; change <= last; change++) {
                    for (int thing = 0; thing < things; thing++) {
                      boards.tell(thing, change, Integer.toString(change));
                    }
                  }
                });
        String name = "q" + round;
        client.send("[\"REQ\",\"" + name + "\"," + ALL + "]");
        Map<String, Integer> seen = new HashMap<>();
        JsonNode frame = client.nextJson();
        while (frame.get(0).asText().equals("EVENT")) {
          if (frame.get(1).asText().equals(name)) { // and not the last one, which is being closed
            assertThat(seen.put(thing(frame), change(frame))).as("each once").isNull();
          }
          frame = client.nextJson();
        }
        assertThat(seen).hasSize(things);
        while (seen.values().stream().anyMatch(change -> change < last)) {
          frame = client.nextJson();
          assertThat(seen.merge(thing(frame), 1, Integer::sum)).isEqualTo(change(frame));
        }
        client.send("[\"CLOSE\",\"" + name + "\"]");
        changing.join();
      }
    }
  }

  @Test
  void removedStateIsNeitherListedNorSent() {
    try (TestRelay relay = new TestRelay(boards);
        Client client = relay.connect()) {
      boards.tell(1, 100, "one");
      boards.tell(2, 200, "two");
      client.send("[\"REQ\",\"live\"," + ALL + "]").until("EOSE");
      boards.remove(1);
      boards.remove(3);
      assertThat(listed(client, ALL)).containsExactly("two");
      boards.tell(1, 300, "one again");
      assertThat(client.nextJson().get(2).get("content").asText()).isEqualTo("one again");
    }
  }

  private static String thing(JsonNode frame) {
    return frame.get(2).get("tags").get(0).get(1).asText();
  }

  private static int change(JsonNode frame) {
    return Integer.parseInt(frame.get(2).get("content").asText());
  }
}
