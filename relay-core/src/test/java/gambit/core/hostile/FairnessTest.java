package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.UnsignedEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The requests of one client do not delay those of another. */
class FairnessTest {
  private static final Signer ALICE = Keys.of("alice");

  /** As many event loops as there are processors serve the connections in turn. */
  private static final int LOOPS = Runtime.getRuntime().availableProcessors();

  /** How often small requests are answered during a flood; a flood may be over too soon. */
  private static final int ROUNDS = 6;

  private static final int EVENTS = 1_000;

  @Test
  void smallRequestsAreAnsweredWhileOthersHaveThousandsOfEventsUnderWay() throws IOException {
    try (TestRelay relay = new TestRelay()) {
      List<Client> flooders = new ArrayList<>();
      for (int i = 0; i < LOOPS; i++) { // one on each event loop
        flooders.add(relay.connect());
      }
      AtomicInteger floods = new AtomicInteger();
      try (RawSocket other = RawSocket.upgraded(relay.uri())) {
        await()
            .until(
                () -> {
                  flood(relay, flooders, "flood " + floods.incrementAndGet());
                  return answered(other, flooders) >= ROUNDS;
                });
      }
      flooders.forEach(Client::abort);
    }
  }

  private static void flood(TestRelay relay, List<Client> flooders, String content) {
    for (int i = 0; i < EVENTS; i++) {
      Event event = ALICE.sign(relay.now(), 20_001, Tags.NONE, content + " " + i);
      flooders.forEach(flooder -> flooder.publishWithoutWaiting(event));
    }
  }

  /** Sends small requests until the flood is over; returns how many were answered meanwhile. */
  private static int answered(RawSocket other, List<Client> flooders) throws IOException {
    int rounds = 0;
    while (flooders.stream().anyMatch(it -> it.unread().size() < EVENTS)) {
      other.sendText("[\"REQ\",\"small\",{\"ids\":[\"" + ALICE.pubkey() + "\"]}]");
      assertThat(other.read().text()).isEqualTo("[\"EOSE\",\"small\"]");
      other.sendText("[\"CLOSE\",\"small\"]");
      other.sendFrame(0x89, new byte[] {1});
      assertThat(other.read().opcode()).isEqualTo(10);
      rounds++;
    }
    for (Client flooder : flooders) {
      for (int i = 0; i < EVENTS; i++) {
        flooder.next();
      }
    }
    return rounds;
  }

  @Test
  void smallRequestsAreAnsweredBeforeHundredsOfExpensiveQueriesOfAnotherClient() {
    EventStore store = new MemoryEventStore(64 << 20);
    UnsignedEvents.store(
        store,
        3_000,
        i -> UnsignedEvents.event(ALICE.pubkey(), i % 50, 7, Tags.NONE, "reaction " + i));
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client greedy = relay.connect();
        Client other = relay.connect()) {
      Event note = other.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "note"));
      await().until(() -> isAnsweredBefore(greedy, other, note));
    }
  }

  /** Whether small requests were answered before expensive ones; those may be over too soon. */
  private static boolean isAnsweredBefore(Client greedy, Client other, Event note) {
    int requests = 150;
    String filters = // each looks at everything and finds nothing
        IntStream.range(0, 20)
            .mapToObj(i -> "{\"#t\":[\"" + i + "\"],\"kinds\":[1,7," + (100 + i) + "]}")
            .collect(Collectors.joining(","));
    for (int i = 0; i < requests; i++) {
      greedy.send("[\"REQ\",\"" + i + "\"," + filters + "]");
    }
    int answered = greedy.send("[\"?\"]").until("NOTICE").size() - 1; // all are under way
    for (int i = 0; i < 40; i++) { // not each after a turn of every other one
      assertThat(other.queryIds("{\"ids\":[\"" + note.id() + "\"]}"))
          .containsExactly(note.id().hex());
    }
    boolean isBefore = answered + greedy.unread().size() < requests - 1;
    for (int i = answered; i < requests; i++) {
      assertThat(greedy.next()).contains("EOSE");
    }
    return isBefore;
  }
}
