package gambit.core.replication;

import static gambit.core.store.Transaction.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.ingest.StorageRules;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.StoreFailure;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower with a store on disk, whose copy of the log differs from the leader's. */
class EntryApplierTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final long LEADER = 8;
  private static final String DIFFERS =
      "this node's copy of the log differs from the cluster's at group %d; move its data directory"
          + " away";

  @TempDir Path directory;
  private final List<Long> epochs = new ArrayList<>();
  private DiskEventStore leader;
  private DiskEventStore store;
  private EntryApplier applier;
  private int notes;

  @BeforeEach
  void open() throws IOException {
    leader = DiskEventStore.open(directory.resolve("leader"), InstantSource.system(), 0);
    store = DiskEventStore.open(directory.resolve("follower"), InstantSource.system(), 0);
    applier =
        new EntryApplier(
            store,
            new StorageRules(store, Set.of(9, 40, 62)),
            LiveLane.withoutThread(SimulatedRelay.RELAY.pubkey(), 0, Metrics.NONE),
            new OutputDecoder(
                7,
                new LeaderLink(new SilentBus(), 7, Optional::empty, InstantSource.system()),
                SimulatedRelay.RELAY),
            new EntryApplier.RowListeners());
  }

  @AfterEach
  void close() {
    leader.close();
    store.close();
  }

  static final class SilentBus implements Bus {
    @Override
    public void listen(long node, Receiver receiver) {}

    @Override
    public void send(long node, byte[] message) {}

    @Override
    public void sendToAll(byte[] message) {}

    @Override
    public int maxMessageBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void close() {}
  }

  private Event note() {
    return ALICE.sign(1_700_000_000, 1, Tags.NONE, "note " + notes++);
  }

  /** Commits a note to a store, and returns the entry with it. */
  private Entry commit(EventStore to, long epoch) throws IOException {
    LogEnd end = to.logEnd();
    try (Transaction transaction = to.begin()) {
      transaction.append(note(), NEVER);
      LogGroup group = transaction.prepare();
      transaction.commit();
      return new Entry(epoch, LEADER, 0, end.checksum(), group, new byte[0]);
    }
  }

  private void apply(Entry... entries) {
    applier.apply(List.of(entries), 1, takeover -> epochs.add(takeover.epoch()));
  }

  private void assertDiffers(long group, Entry... entries) {
    LogEnd before = store.logEnd();
    assertThatThrownBy(() -> apply(entries))
        .isInstanceOf(StoreFailure.class)
        .hasMessageStartingWith(String.format(DIFFERS, group));
    assertThat(store.logEnd()).as("nothing is applied").isEqualTo(before);
    assertThat(epochs).isEmpty();
  }

  @Test
  void entriesThatFollowTheCopyAreApplied() throws IOException {
    apply(commit(leader, 1), commit(leader, 1));
    Entry next = commit(leader, 1);
    apply(next);
    apply(next); // which it has
    assertThat(store.logEnd()).isEqualTo(leader.logEnd());
    assertThat(store.size()).isEqualTo(3);
  }

  @Test
  void entryAfterAGroupThatThisNodeHasWithOtherEventsIsRefused() throws IOException {
    apply(commit(leader, 1));
    commit(leader, 1);
    commit(store, 1); // without the cluster: of the same length
    assertThat(store.logEnd().offset()).isEqualTo(leader.logEnd().offset());
    assertDiffers(2, commit(leader, 1));
  }

  @Test
  void entryThatBeginsAtAnotherOffsetIsRefused() throws IOException {
    Entry first = commit(leader, 1);
    apply(first);
    Entry next = commit(leader, 1);
    LogGroup group = next.group();
    LogGroup moved =
        new LogGroup(group.sequence(), group.offset() + 1, group.count(), group.records());
    assertDiffers(1, new Entry(1, LEADER, 0, next.previousChecksum(), moved, new byte[0]));
  }

  @Test
  void entryOfAnEarlierEpochThanTheOneBeforeItIsRefused() throws IOException {
    assertDiffers(1, commit(leader, 1), commit(leader, 0));
  }

  @Test
  void entryThatDoesNotFollowTheOneBeforeItIsRefusedTogetherWithThat() throws IOException {
    Entry first = commit(leader, 1);
    Entry second = commit(leader, 1);
    assertDiffers(
        1,
        first,
        new Entry(1, LEADER, 0, first.previousChecksum() + 1, second.group(), new byte[0]));
  }

  @Test
  void entryWithDamagedRecordsIsRefused() throws IOException {
    LogGroup group = commit(leader, 1).group();
    byte[] damaged = group.records().clone();
    damaged[damaged.length / 2] ^= 1;
    LogGroup other = new LogGroup(group.sequence(), group.offset(), group.count(), damaged);
    assertDiffers(0, new Entry(1, LEADER, 0, 0, other, new byte[0]));
  }

  @Test
  void entryAfterAGapIsLeftToTheNextRead() throws IOException {
    Entry first = commit(leader, 1);
    commit(leader, 1);
    apply(first, commit(leader, 1));
    assertThat(store.logEnd().sequence()).isEqualTo(1);
  }
}
