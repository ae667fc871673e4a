package gambit.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.testkit.ReplicationModel.Effect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Tests of the contract of {@link EventStore}, with two stores of a kind. The test of a store
 * extends this class and creates the stores.
 */
public abstract class ReplicatedStoreContract {
  private static final Signer ALICE = Keys.of("alice");
  private static final byte[] KEY = {1};

  /** Opens an empty store. */
  protected abstract EventStore openEmpty() throws IOException;

  /**
   * Returns a store after an operation that must not lose anything: the same object after its space
   * was reclaimed, or another one.
   */
  protected EventStore disturbed(EventStore store, Random random) throws IOException {
    return store;
  }

  /** Asserts what is true of two stores, which it may close, after all these groups. */
  protected void assertLogs(EventStore leader, EventStore follower, List<LogGroup> groups)
      throws IOException {}

  /** A store, and what is known of it. */
  private final class Node {
    private final ChangesFollower changes;
    private EventStore store;
    private ReplicationModel model = ReplicationModel.empty();
    private boolean isReclaimed; // since the newest group

    Node(Random random) throws IOException {
      this.changes = new ChangesFollower(random);
      this.store = openEmpty();
    }

    void commit(Random random) throws IOException {
      ReplicationModel changed = model.changed(store, random);
      isReclaimed &= changed == model;
      model = changed;
    }

    void apply(List<ReplicationModel> next) throws IOException {
      List<AppliedGroup> applied = store.apply(next.stream().map(ReplicationModel::group).toList());
      assertThat(applied.stream().map(Effect::of))
          .containsExactlyElementsOf(next.stream().map(ReplicationModel::effect).toList());
      model = next.get(next.size() - 1);
      isReclaimed = false;
    }

    void disturb(Random random) throws IOException {
      EventStore before = store;
      store = disturbed(before, random);
      isReclaimed |= store == before;
    }

    void assertHoldsItsModel() {
      model.assertHeldBy(store);
      changes.assertFollows(store, model.events());
      LogEnd end = store.logEnd();
      assertThat(end.sequence()).isEqualTo(model.group().sequence());
      if (end.checksum() != 0 || !isReclaimed) {
        assertThat(end.checksum()).isEqualTo(end.sequence() == 0 ? 0 : model.group().checksum());
      }
    }
  }

  @Property(tries = 10)
  void storeThatAppliesTheGroupsOfAnotherOneHasTheSameContent(@ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    Node leader = new Node(random);
    Node follower = new Node(random);
    List<LogGroup> groups = new ArrayList<>();
    List<ReplicationModel> pending = new ArrayList<>();
    try {
      for (int i = 0; i < 60; i++) {
        ReplicationModel before = leader.model;
        leader.commit(random);
        if (leader.model != before) {
          pending.add(leader.model);
          groups.add(leader.model.group());
        }
        leader.assertHoldsItsModel();
        if (random.nextInt(3) == 0 && !pending.isEmpty()) {
          List<ReplicationModel> next = pending.subList(0, 1 + random.nextInt(pending.size()));
          follower.apply(next);
          next.clear();
          follower.assertHoldsItsModel();
        }
        if (random.nextInt(8) == 0) {
          leader.disturb(random);
          leader.assertHoldsItsModel();
        }
        if (random.nextInt(8) == 0) {
          follower.disturb(random);
          follower.assertHoldsItsModel();
        }
      }
      if (!pending.isEmpty()) {
        follower.apply(pending);
      }
      follower.assertHoldsItsModel();
      assertThat(follower.store.logEnd().offset()).isEqualTo(leader.store.logEnd().offset());
      assertThat(follower.store.bytes()).isEqualTo(leader.store.bytes());
      assertLogs(leader.store, follower.store, groups);
    } finally {
      leader.store.close();
      follower.store.close();
    }
  }

  /** Changes of a transaction. */
  private interface Step {
    void apply(Transaction transaction);
  }

  /** Commits a group; its number of records is that of its changes. */
  private static LogGroup commit(EventStore store, Step step) throws IOException {
    try (Transaction transaction = store.begin()) {
      step.apply(transaction);
      LogGroup group = transaction.prepare();
      transaction.commit();
      return group;
    }
  }

  /** A note that differs from those with other numbers. */
  private static Event note(int number) {
    return ALICE.sign(number, 1, Tags.NONE, "note " + number);
  }

  private static void append(Transaction transaction, Event event) {
    transaction.append(event, Transaction.NEVER);
  }

  private static void remove(Transaction transaction, Event event) {
    transaction.remove(transaction.byId(event.id()).orElseThrow(), Removal.OBSOLETE);
  }

  @Test
  void commitWithoutChangesAppendsAGroupOnlyIfItWasPrepared() throws IOException {
    try (EventStore store = openEmpty();
        EventStore other = openEmpty()) {
      LogEnd empty = store.logEnd();
      assertThat(empty.sequence()).isZero();
      assertThat(empty.checksum()).isZero();
      try (Transaction transaction = store.begin()) {
        transaction.commit();
      }
      assertThat(store.logEnd()).isEqualTo(empty);
      LogGroup group = commit(store, transaction -> {});
      assertThat(group.count()).isZero();
      assertThat(group.sequence()).isEqualTo(1);
      assertThat(group.offset()).isEqualTo(empty.offset());
      assertThat(store.logEnd().sequence()).isEqualTo(1);
      assertThat(store.logEnd().checksum()).isEqualTo(group.checksum());
      AppliedGroup applied = other.apply(List.of(group)).get(0);
      assertThat(applied.added()).isEmpty();
      assertThat(applied.rows()).isEmpty();
      assertThat(other.logEnd()).isEqualTo(store.logEnd());
    }
  }

  @Test
  void endOfTheLogIsTheSameWithoutPreparing() throws IOException {
    try (EventStore store = openEmpty();
        EventStore other = openEmpty()) {
      Event event = note(1);
      LogGroup group = commit(store, transaction -> append(transaction, event));
      try (Transaction transaction = other.begin()) {
        append(transaction, event);
        transaction.commit();
      }
      assertThat(other.logEnd()).isEqualTo(store.logEnd());
      assertThat(other.logEnd().checksum()).isEqualTo(group.checksum());
    }
  }

  @Test
  void preparedTransactionThatIsNotCommittedChangesNothing() throws IOException {
    try (EventStore store = openEmpty()) {
      commit(store, transaction -> append(transaction, note(1)));
      LogEnd before = store.logEnd();
      try (Transaction transaction = store.begin()) {
        append(transaction, note(2));
        transaction.prepare();
      }
      assertThat(store.logEnd()).isEqualTo(before);
      assertThat(store.contains(note(2).id())).isFalse();
      LogGroup next = commit(store, transaction -> append(transaction, note(3)));
      assertThat(next.sequence()).isEqualTo(before.sequence() + 1);
      assertThat(next.offset()).isEqualTo(before.offset());
    }
  }

  @Test
  void changesAfterPreparingAreRefused() throws IOException {
    try (EventStore store = openEmpty();
        Transaction transaction = store.begin()) {
      append(transaction, note(1));
      transaction.prepare();
      assertThatThrownBy(() -> append(transaction, note(2)))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> transaction.putRow("games", KEY, KEY))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void eventThatItsGroupRemovesIsAmongTheAddedOnes() throws IOException {
    try (EventStore leader = openEmpty();
        EventStore follower = openEmpty()) {
      LogGroup group =
          commit(
              leader,
              transaction -> {
                append(transaction, note(1));
                append(transaction, note(2));
                remove(transaction, note(1));
                transaction.putRow("games", KEY, KEY);
                transaction.removeRow("games", KEY);
              });
      AppliedGroup applied = follower.apply(List.of(group)).get(0);
      assertThat(applied.added()).extracting(StoredEvent::event).containsExactly(note(1), note(2));
      assertThat(Effect.of(applied).rows()).containsExactly("games/01");
      assertThat(follower.contains(note(1).id())).isFalse();
      assertThat(follower.contains(note(2).id())).isTrue();
      assertThat(follower.row("games", KEY)).isEmpty();
      assertThat(follower.recentRemovals().count()).isZero();
    }
  }

  @Test
  void removalsOfAppliedGroupsAreAmongTheRecentOnes() throws IOException {
    try (EventStore leader = openEmpty();
        EventStore follower = openEmpty()) {
      LogGroup first =
          commit(
              leader,
              transaction -> {
                append(transaction, note(1));
                append(transaction, note(2));
              });
      List<StoredEvent> added = follower.apply(List.of(first)).get(0).added();
      LogGroup second = commit(leader, transaction -> remove(transaction, note(1)));
      LogGroup third = commit(leader, transaction -> append(transaction, note(3)));
      LogGroup fourth = commit(leader, transaction -> remove(transaction, note(3)));
      follower.apply(List.of(second, third, fourth));
      assertThat(follower.recentRemovals().since(0)).contains(added.get(0).offset());
      assertThat(follower.recentRemovals().since(0)).doesNotContain(added.get(1).offset());
      assertThat(follower.size()).isEqualTo(1);
    }
  }

  @Test
  void noGroupOfAListIsAppliedIfOneDoesNotFollowOrIsMalformed() throws IOException {
    try (EventStore leader = openEmpty();
        EventStore follower = openEmpty()) {
      follower.apply(List.of(commit(leader, transaction -> append(transaction, note(1)))));
      LogGroup good = commit(leader, transaction -> append(transaction, note(2)));
      LogGroup next =
          commit(
              leader,
              transaction -> {
                append(transaction, note(3));
                transaction.putRow("games", KEY, KEY);
                remove(transaction, note(1));
              });
      LogGroup last = commit(leader, transaction -> append(transaction, note(4)));
      int length = next.records().length;
      List<List<LogGroup>> refused =
          List.of(
              List.of(next),
              List.of(good, last),
              List.of(good, good),
              List.of(good, with(next, next.sequence() + 1, next.offset())),
              List.of(good, with(next, next.sequence(), next.offset() + 8)),
              List.of(good, next, with(good, last.sequence(), last.offset())),
              List.of(good, with(next, 2, next.records())),
              List.of(good, with(next, 4, next.records())),
              List.of(good, with(next, 0, next.records())),
              List.of(good, with(next, 3, Arrays.copyOf(next.records(), length - 1))),
              List.of(good, with(next, 3, Arrays.copyOf(next.records(), length + 8))));
      LogEnd before = follower.logEnd();
      for (List<LogGroup> groups : refused) {
        assertThatThrownBy(() -> follower.apply(groups))
            .isInstanceOf(IllegalArgumentException.class);
        assertThat(follower.logEnd()).isEqualTo(before);
        assertThat(follower.size()).isEqualTo(1);
      }
      assertThat(follower.apply(List.of())).isEmpty();
      assertThat(follower.apply(List.of(good, next, last))).hasSize(3);
      assertThat(follower.logEnd()).isEqualTo(leader.logEnd());
    }
  }

  private static LogGroup with(LogGroup group, long sequence, long offset) {
    return new LogGroup(sequence, offset, group.count(), group.records());
  }

  private static LogGroup with(LogGroup group, int count, byte[] records) {
    return new LogGroup(group.sequence(), group.offset(), count, records);
  }

  @Test
  void groupThatRemovesWhatTheStoreDoesNotHaveIsRefused() throws IOException {
    try (EventStore leader = openEmpty();
        EventStore follower = openEmpty();
        EventStore other = openEmpty()) {
      commit(leader, transaction -> append(transaction, note(1)));
      LogGroup removal = commit(leader, transaction -> remove(transaction, note(1)));
      LogGroup row = commit(other, transaction -> transaction.putRow("games", KEY, KEY));
      follower.apply(List.of(row));
      LogGroup foreign = with(removal, 2, follower.logEnd().offset());
      assertThatThrownBy(() -> follower.apply(List.of(foreign)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
