package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.feature.Commit;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.LogGroup;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules of a node that applies the groups of another one. */
class AppliedRulesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000);
  private static final Set<Integer> NIPS = Set.of(9, 40, 62);

  private final MemoryEventStore leaderStore = new MemoryEventStore(1 << 30);
  private final MemoryEventStore store = new MemoryEventStore(1 << 30);
  private final StorageRules leader = new StorageRules(leaderStore, NIPS);
  private final StorageRules follower = new StorageRules(store, NIPS);

  private interface Step {
    void apply(Transaction transaction);
  }

  /** Commits a step on the leader and applies its group on the follower. */
  private void commit(Step step) throws IOException {
    try (Transaction transaction = leaderStore.begin()) {
      step.apply(transaction);
      LogGroup group = transaction.prepare();
      transaction.commit();
      leader.committed();
      for (AppliedGroup applied : store.apply(List.of(group))) {
        follower.applied(applied);
      }
    }
  }

  private void store(Event event) throws IOException {
    commit(
        transaction ->
            assertThat(leader.apply(transaction, Commit.of(List.of(event)), true, NOW, copy -> {}))
                .isEqualTo(WriteOutcome.STORED));
  }

  private static Event note(Signer author, int number) {
    return author.sign(NOW.getEpochSecond() - 9, 1, Tags.NONE, "note " + number);
  }

  private static Event requestToVanish() {
    Tags tags = new Tags(List.of(List.of("relay", "ALL_RELAYS")));
    return ALICE.sign(NOW.getEpochSecond() - 1, Kind.VANISH, tags, "");
  }

  private long served() {
    return store.changes(0, KindSet.parse("1"), 1_000).added().stream()
        .filter(stored -> follower.isServed(stored, NOW))
        .count();
  }

  @Test
  void eventsThatTheLeaderHidesAreHiddenUntilItHasRemovedThem() throws IOException {
    List<Event> notes = new ArrayList<>();
    for (int i = 0; i < 2 * StorageRules.PORTION_EVENTS / 10; i++) {
      notes.add(note(ALICE, i));
      store(notes.get(i));
    }
    store(note(BOB, 0));
    assertThat(served()).isEqualTo(notes.size() + 1);
    assertThat(follower.hides(note(ALICE, 0), NOW)).isFalse();
    store(requestToVanish());
    assertThat(store.size()).isGreaterThan(2); // the sweep removes the rest
    assertThat(served()).isEqualTo(1);
    assertThat(follower.hides(note(ALICE, 0), NOW)).isTrue();
    while (leader.hides(note(ALICE, 0), NOW)) {
      commit(transaction -> leader.sweep(transaction, NOW));
    }
    assertThat(store.size()).isEqualTo(2);
    assertThat(served()).isEqualTo(1);
    assertThat(follower.hides(note(ALICE, 0), NOW)).isFalse();
  }

  @Test
  void requestOfAnAuthorWithFewEventsHidesNothing() throws IOException {
    store(note(ALICE, 0));
    store(requestToVanish());
    assertThat(follower.hides(note(ALICE, 0), NOW)).isFalse();
    assertThat(store.size()).isEqualTo(1);
    StoredEvent request = store.byOffset(store.lastOffset()).orElseThrow();
    assertThat(follower.isServed(request, NOW)).isTrue();
  }
}
