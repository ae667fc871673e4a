package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The requests of one client do not delay those of another. */
class FairnessTest {
  private static final Signer ALICE = Keys.of("alice");

  /** As many event loops as there are processors serve the connections in turn. */
  private static final int LOOPS = Runtime.getRuntime().availableProcessors();

  @Test
  void smallRequestsAreAnsweredWhileOthersHaveThousandsOfEventsUnderWay() throws IOException {
    int events = 3_000;
    try (TestRelay relay = new TestRelay()) {
      List<Event> flood = new ArrayList<>();
      for (int i = 0; i < events; i++) {
        flood.add(ALICE.sign(relay.now(), 20_001, Tags.NONE, "event " + i));
      }
      List<Client> flooders = new ArrayList<>();
      for (int i = 0; i < LOOPS; i++) { // one on each event loop
        flooders.add(relay.connect());
      }
      try (RawSocket other = RawSocket.upgraded(relay.uri())) {
        flooders.forEach(flooder -> flood.forEach(flooder::publishWithoutWaiting));
        int rounds = 0;
        while (flooders.stream().anyMatch(it -> it.unread().size() < events)) {
          other.sendText("[\"REQ\",\"small\",{\"ids\":[\"" + ALICE.pubkey() + "\"]}]");
          assertThat(other.read().text()).isEqualTo("[\"EOSE\",\"small\"]");
          other.sendText("[\"CLOSE\",\"small\"]");
          other.sendFrame(0x89, new byte[] {1});
          assertThat(other.read().opcode()).isEqualTo(10);
          rounds++;
        }
        assertThat(rounds).isGreaterThan(5);
      }
      flooders.forEach(Client::abort);
    }
  }

  @Test
  void smallRequestsAreAnsweredBeforeHundredsOfExpensiveQueriesOfAnotherClient() {
    try (TestRelay relay = new TestRelay();
        Client greedy = relay.connect();
        Client other = relay.connect()) {
      Event note = other.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "note"));
      for (int i = 0; i < 3_000; i++) {
        other.publish(ALICE.sign(relay.now() - 1 - i % 50, 7, Tags.NONE, "reaction " + i));
      }
      for (int i = 0; i < 3_000; i++) {
        other.next();
      }
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
      assertThat(answered + greedy.unread().size()).isLessThan(requests - 1);
      for (int i = answered; i < requests; i++) {
        assertThat(greedy.next()).contains("EOSE");
      }
    }
  }
}
