package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.feature.Commit;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.RandomHistory;
import gambit.core.testkit.ReferenceRelay;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Applies random histories to both stores and compares them with a reference relay. */
class StorageRulesTest {
  private static final long START = 1_000_000;
  private static final int STEPS = 120;

  @Property(tries = 25)
  void memoryStoreAgreesWithTheReferenceRelay(@ForAll long seed) throws IOException {
    MemoryEventStore store = new MemoryEventStore(1 << 30);
    new History(store, new Random(seed)).run((it, random) -> it);
  }

  @Property(tries = 20)
  void diskStoreAgreesWithTheReferenceRelayDespiteDisturbances(@ForAll long seed)
      throws IOException {
    StoreDirectory directory = new StoreDirectory();
    try {
      new History(directory.open(), new Random(seed)).run(directory::disturbed);
    } finally {
      directory.delete();
    }
  }

  @Example
  void deletionOfMoreEvidenceThanOneCommitMayCopyIsRefusedAndDeletesNothing() throws IOException {
    Signer alice = Keys.of("alice");
    MemoryEventStore store = new MemoryEventStore(1 << 30);
    StorageRules rules = new StorageRules(store, Set.of(9), Keys.of("relay"));
    rules.keepEvidence(event -> event.kind() == 5001);
    List<Event> moves = new ArrayList<>();
    for (int i = 0; i <= EvidenceCopies.MAX_COPIES; i++) {
      moves.add(alice.sign(START + i, 5001, Tags.NONE, "e2e4"));
    }
    List<Event> large = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      large.add(alice.sign(START + i, 5001, Tags.NONE, "e".repeat(100_000)));
    }
    List<Event> copies = new ArrayList<>();
    try (Transaction transaction = store.begin()) {
      assertThat(apply(rules, transaction, moves, copies)).isEqualTo(WriteOutcome.STORED);
      assertThat(apply(rules, transaction, large, copies)).isEqualTo(WriteOutcome.STORED);
      for (List<Event> tooMany : List.of(moves, large)) {
        Event deletion = deletion(alice, tooMany);
        assertThat(apply(rules, transaction, List.of(deletion), copies))
            .isEqualTo(WriteOutcome.TOO_MANY_COPIES);
        assertThat(transaction.byId(deletion.id())).isEmpty();
        assertThat(tooMany).allMatch(event -> transaction.byId(event.id()).isPresent());
        assertThat(copies).isEmpty();
      }
      for (List<Event> fewer : List.of(moves.subList(1, moves.size()), large.subList(1, 3))) {
        copies.clear();
        assertThat(apply(rules, transaction, List.of(deletion(alice, fewer)), copies))
            .isEqualTo(WriteOutcome.STORED);
        assertThat(fewer).allMatch(event -> transaction.byId(event.id()).isEmpty());
        assertThat(copies)
            .hasSameSizeAs(fewer)
            .allMatch(copy -> transaction.byId(copy.id()).isPresent());
      }
    }
  }

  private static WriteOutcome apply(
      StorageRules rules, Transaction transaction, List<Event> events, List<Event> copies) {
    return rules.apply(
        transaction, Commit.of(events), false, Instant.ofEpochSecond(START), copies::add);
  }

  private static Event deletion(Signer author, List<Event> of) {
    return author.sign(
        START, 5, new Tags(of.stream().map(event -> List.of("e", event.id().hex())).toList()), "");
  }

  private interface Disturbance {
    EventStore happensTo(EventStore store, Random random) throws IOException;
  }

  private static final class History {
    private final Random random;
    private final RandomHistory events;
    private ReferenceRelay naive = new ReferenceRelay();
    private EventStore store;
    private StorageRules rules;
    private long now = START;

    History(EventStore store, Random random) {
      this.random = random;
      this.events = new RandomHistory(random, START, 50);
      this.store = store;
      this.rules = new StorageRules(store, Set.of(9, 40, 62));
    }

    void run(Disturbance disturbance) throws IOException {
      try {
        for (int i = 0; i < STEPS; i++) {
          switch (random.nextInt(20)) {
            case 0 -> now += random.nextInt(30);
            case 1 -> sweep();
            case 2 -> {
              store = disturbance.happensTo(store, random);
              rules = new StorageRules(store, Set.of(9, 40, 62));
            }
            default -> commit();
          }
          Filter filter = events.filter();
          assertThat(find(filter)).as("step %s, %s", i, filter).isEqualTo(naive.find(filter, now));
        }
      } finally {
        store.close();
      }
    }

    /** Some requests in one transaction, which may fail. */
    private void commit() throws IOException {
      ReferenceRelay after = naive.copy();
      try (Transaction transaction = store.begin()) {
        for (int i = random.nextInt(5); i >= 0; i--) {
          Event event = events.any();
          WriteOutcome outcome =
              rules.apply(
                  transaction,
                  Commit.of(List.of(event)),
                  false,
                  Instant.ofEpochSecond(now),
                  copy -> {});
          assertThat(outcome).as("%s", event).isEqualTo(after.write(event, now));
        }
        if (random.nextInt(6) > 0) {
          transaction.commit();
          rules.committed();
          naive = after;
        } else {
          rules.undone();
        }
      }
    }

    private void sweep() throws IOException {
      int gone;
      do {
        try (Transaction transaction = store.begin()) {
          gone = rules.sweep(transaction, Instant.ofEpochSecond(now)).total();
          transaction.commit();
          rules.committed();
        }
      } while (gone > 0);
      naive.sweep(now);
    }

    private List<Event> find(Filter filter) {
      List<Event> found = new ArrayList<>();
      Query query = store.query(filter, Long.MAX_VALUE);
      Page page;
      do {
        page = query.next(1 + random.nextInt(20), Integer.MAX_VALUE);
        page.found().stream()
            .filter(stored -> rules.isServed(stored, Instant.ofEpochSecond(now)))
            .map(StoredEvent::event)
            .forEach(found::add);
      } while (!page.isLast());
      return found;
    }
  }
}
