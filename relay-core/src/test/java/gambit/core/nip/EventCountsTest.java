package gambit.core.nip;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** NIP-45; the golden files have the counts and the refusals. */
class EventCountsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final int FOLLOWERS = 5_000;

  @Test
  void manyPagesAreCountedExactlyAndRegistersCoverEveryAuthor() throws IOException {
    EventStore store = new MemoryEventStore(64 << 20);
    Random random = new Random(1);
    String whom = ALICE.pubkey().hex();
    EventCounts.HyperLogLog expected = EventCounts.HyperLogLog.forTagValue(whom);
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < FOLLOWERS; i++) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        PubKey follower = new PubKey(bytes);
        expected.add(follower);
        transaction.append(event(follower, i, whom), Transaction.NEVER);
      }
      transaction.commit();
    }
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      client.send("[\"COUNT\",\"c\",{\"kinds\":[3],\"#p\":[\"" + whom + "\"],\"limit\":10}]");
      var answer = client.nextJson();
      assertThat(answer.get(2).get("count").asInt()).isEqualTo(FOLLOWERS);
      assertThat(answer.get(2).get("hll").asText()).isEqualTo(expected.hex());
      assertThat(answer.get(2).has("approximate")).isFalse();
      client.send("[\"COUNT\",\"c\",{\"kinds\":[3],\"since\":100},{\"kinds\":[3],\"until\":200}]");
      assertThat(client.nextJson().get(2).get("count").asInt()).isEqualTo(FOLLOWERS);
    }
  }

  private static Event event(PubKey follower, int at, String whom) {
    Tags tags = new Tags(List.of(List.of("p", whom)));
    EventId id = EventEncoder.idOf(follower, at, 3, tags, "");
    return EventEncoder.encode(id, follower, at, 3, tags, "", new byte[64]);
  }

  @Test
  void countsAndSubscriptionsShareTheirLimits() {
    LimitValues small =
        TestLimits.builder()
            .set(Limit.SUBSCRIPTIONS, 2)
            .set(Limit.FILTERS, 2)
            .set(Limit.FILTER_VALUES, 10)
            .build();
    try (TestRelay relay = new TestRelay(small, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      for (String name : List.of("a", "b")) {
        client.send("[\"REQ\",\"" + name + "\",{\"limit\":0,\"kinds\":[1,2]}]");
        assertThat(client.next()).isEqualTo("[\"EOSE\",\"" + name + "\"]");
      }
      client.send("[\"COUNT\",\"c\",{}]");
      assertThat(client.next())
          .isEqualTo("[\"CLOSED\",\"c\",\"error: more than 2 subscriptions\"]");
      client.send("[\"CLOSE\",\"a\"]");
      client.send("[\"COUNT\",\"c\",{\"kinds\":[1,2,3,4,5,6,7,8,9]}]");
      assertThat(client.next())
          .isEqualTo("[\"CLOSED\",\"c\",\"error: more than 10 filter values\"]");
      client.send("[\"COUNT\",\"c\",{},{},{}]");
      assertThat(client.next()).isEqualTo("[\"CLOSED\",\"c\",\"invalid: more than 2 filters\"]");
      for (int i = 0; i < 20; i++) { // each gives its place and its values back
        client.send("[\"COUNT\",\"c\",{\"kinds\":[1,2,3,4,5,6,7,8]}]");
        assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":0}]");
      }
    }
  }
}
