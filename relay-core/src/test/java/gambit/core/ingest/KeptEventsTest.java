package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events of the relay that a feature keeps for ever, here those of kinds 64 and 30064. */
class KeptEventsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Feature KEEPS_RECORDS =
      relay -> relay.keepForever(event -> event.kind() == 64 || event.kind() == 30064);

  private static int contents; // which are all different

  @Test
  void neitherItsAuthorNorAnExpirationRemovesAKeptEvent() {
    try (TestRelay relay = new TestRelay(KEEPS_RECORDS);
        Client operator = relay.connectOperator()) {
      long now = relay.now();
      Event record = own(relay, now, 64, List.of("expiration", "" + (now + 30)));
      Event head = own(relay, now, 30064, List.of("d", "1"));
      Event note = own(relay, now, 1, List.of("expiration", "" + (now + 30)));
      Event article = own(relay, now, 30023, List.of("d", "1"));
      List.of(record, head, note, article).forEach(operator::publishAccepted);
      String self = relay.signer().pubkey().hex();
      Event deletion =
          own(
              relay,
              now,
              5,
              List.of("e", record.id().hex()),
              List.of("e", head.id().hex()),
              List.of("a", "30064:" + self + ":1"),
              List.of("a", "30064:" + self + ":2"),
              List.of("a", "30023:" + self + ":1"));
      operator.publishAccepted(deletion);
      relay.time().advance(Duration.ofMinutes(1));
      relay.time().awaitSweepScheduled();
      assertThat(operator.queryIds("{}"))
          .containsExactlyInAnyOrder(deletion.id().hex(), record.id().hex(), head.id().hex());
      operator.publishAccepted(own(relay, now, 30064, List.of("d", "2")));
      assertThat(operator.answerTo(record)).startsWith("duplicate: ");
      assertThat(operator.answerTo(own(relay, now, 62, List.of("relay", "ALL_RELAYS"))))
          .isEqualTo("blocked: the relay's own key does not vanish from the relay");
    }
  }

  @Test
  void eventsOfThatKindByOthersAreRemovedAsEver() {
    try (TestRelay relay = new TestRelay(KEEPS_RECORDS);
        Client client = relay.connect()) {
      Event record = client.publishAccepted(ALICE.sign(relay.now(), 64, Tags.NONE, "1-0"));
      Tags named = new Tags(List.of(List.of("e", record.id().hex())));
      client.publishAccepted(ALICE.sign(relay.now(), 5, named, ""));
      assertThat(client.queryIds("{\"kinds\":[64]}")).isEmpty();
    }
  }

  @Test
  void aRetentionByAgeRemovesWhatLiesBetweenKeptEvents() {
    Retention retention = new Retention(List.of(Retention.Rule.parse("* 2d")), 0);
    try (TestRelay relay = new TestRelay(retention, new MemoryEventStore(8 << 20), KEEPS_RECORDS);
        Client operator = relay.connectOperator()) {
      long old = relay.now() - Duration.ofDays(2).toSeconds();
      for (int round = 0; round < 3; round++) { // the later ones skip what was examined before
        List<Event> kept = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          long at = old + 10 + 60 * round + i;
          kept.add(own(relay, at, 64));
          operator.publishAccepted(ALICE.sign(at, 1, Tags.NONE, ""));
        }
        kept.forEach(operator::publishAccepted);
        relay.time().advance(Duration.ofMinutes(1));
        relay.time().awaitSweepScheduled();
        assertThat(operator.queryIds("{\"kinds\":[1]}")).isEmpty();
        assertThat(operator.queryIds("{\"kinds\":[64]}")).hasSize(3 * (round + 1));
      }
    }
  }

  @Test
  void aRetentionBySizeRemovesTheOldestEventsBehindPortionsOfKeptOnes() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    try {
      removesBehindPortionsOfKeptOnes(directory.open());
    } finally {
      directory.delete();
    }
    removesBehindPortionsOfKeptOnes(new MemoryEventStore(8 << 20));
  }

  private static void removesBehindPortionsOfKeptOnes(EventStore store) {
    int kept = 2 * StorageRules.PORTION_EVENTS + 10;
    try (TestRelay relay = new TestRelay(new Retention(List.of(), 100_000), store, KEEPS_RECORDS);
        Client operator = relay.connectOperator()) {
      long now = relay.now();
      List<Event> events = new ArrayList<>();
      for (int i = 0; i < kept; i++) {
        events.add(own(relay, now - 10_000 + i % 100, 64));
      }
      for (int i = 0; i < 20; i++) {
        events.add(ALICE.sign(now - i, 1, Tags.NONE, "x"));
      }
      events.forEach(operator::publish);
      events.forEach(event -> assertThat(operator.next()).endsWith(",true,\"\"]"));
      for (int round = 0; round < 2; round++) { // the second finds nothing to remove
        relay.time().advance(Duration.ofMinutes(1));
        relay.time().awaitSweepScheduled();
        assertThat(store.size()).isEqualTo(kept);
      }
      operator.publishAccepted(ALICE.sign(now, 1, Tags.NONE, "y"));
      relay.time().advance(Duration.ofMinutes(1));
      relay.time().awaitSweepScheduled();
      assertThat(store.size()).isEqualTo(kept);
    }
  }

  @SafeVarargs
  private static Event own(TestRelay relay, long at, int kind, List<String>... tags) {
    List<List<String>> all = new ArrayList<>();
    for (List<String> tag : tags) {
      all.add(tag);
    }
    return relay.signer().sign(at, kind, new Tags(all), "" + contents++);
  }
}
