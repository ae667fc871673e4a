package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.index.IndexWriter;
import gambit.core.store.disk.index.Recovery;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.RealDisk;
import gambit.core.store.disk.query.CommittedView;
import gambit.core.testkit.SyntheticNotes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a commit writes, syncs and allocates, counted. */
class CommitCostTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int SEGMENT_BYTES = 4 << 20;
  private static final int WARM_UP_COMMITS = 40; // of 64 events
  private static final int MEASURED_COMMITS = 8; // of 64 events, over which merges even out
  private static final int ROUNDS = 5;

  /** Of an event's index entries as changes, and of the merges of their runs. */
  private static final long MAX_BYTES_PER_EVENT = 2_000;

  /** As well as the sums of ids, the checkpoint, and a row that replaces one. */
  private static final long MAX_BYTES_PER_COMMIT = 4_400;

  private static final byte[] ROW_KEY = new byte[32];
  private static final byte[] ROW_VALUE = new byte[200];

  private final StoreDirectory directory = new StoreDirectory();
  private final SyntheticNotes notes = SyntheticNotes.unsigned(5);

  CommitCostTest() throws IOException {}

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  private DiskEventStore open(Disk disk) throws IOException {
    return new DiskEventStore(
        directory.path(),
        disk,
        new DiskEventStore.Options(
            InstantSource.system(),
            0,
            SEGMENT_BYTES,
            Recovery.RECORDS_PER_TRANSACTION,
            DiskEventStore.BYTES_OF_FLUSH,
            "boot",
            null));
  }

  private static void commit(EventStore store, List<Event> events) throws IOException {
    try (Transaction transaction = store.begin()) {
      for (Event event : events) {
        if (transaction.byId(event.id()).isPresent()) {
          throw new AssertionError("the notes repeat themselves");
        }
        Address.of(event).ifPresent(transaction::byAddress);
        transaction.append(event, Transaction.NEVER);
      }
      transaction.commit();
    }
  }

  @Test
  void groupIsWrittenAndSyncedOnceHoweverManyEventsItHas() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (EventStore store = open(disk)) {
      commit(store, notes.next(1)); // allocates the segment
      for (int events : new int[] {1, 64, 512}) {
        int before = disk.operations();
        commit(store, notes.next(events));
        assertThat(disk.operations() - before).as("%d events", events).isEqualTo(2);
      }
    }
  }

  /** One for the id, one for an address, and two for the sums of ids. */
  @Test
  void indexIsSearchedFourTimesForAnEvent() throws IOException {
    try (DiskEventStore store = open(new RealDisk(directory.log()))) {
      commit(store, notes.next(2_000));
      for (int events : new int[] {1, 64, 512}) {
        long before = searches(store);
        commit(store, notes.next(events));
        assertThat(searches(store) - before).isBetween(2L * events, 4L * events + 4);
      }
    }
  }

  /** The searches of all commits. */
  private static long searches(DiskEventStore store) {
    try (CommittedView view = store.committedView();
        IndexWriter writer = view.index().index().beginWriting()) {
      return writer.seeks();
    }
  }

  @Test
  void eventTakesLittleMemoryWhileItIsStored() throws IOException {
    assertThat(bytesPerEvent(64, CommitCostTest::commit)).isLessThan(MAX_BYTES_PER_EVENT);
  }

  /** As a move of a game is committed while few others come. */
  @Test
  void eventAndRowAloneTakeLittleMemoryWhileTheyAreCommitted() throws IOException {
    assertThat(bytesPerEvent(1, CommitCostTest::commitWithRow)).isLessThan(MAX_BYTES_PER_COMMIT);
  }

  private static void commitWithRow(EventStore store, List<Event> events) throws IOException {
    try (Transaction transaction = store.begin()) {
      for (Event event : events) {
        transaction.append(event, Transaction.NEVER);
      }
      transaction.putRow("games", ROW_KEY, ROW_VALUE);
      transaction.commit();
    }
  }

  private interface Commit {
    void make(EventStore store, List<Event> events) throws IOException;
  }

  /** The bytes that the thread allocates for an event, in the round in which they are fewest. */
  private long bytesPerEvent(int eventsPerCommit, Commit commit) throws IOException {
    long[] rounds = new long[ROUNDS];
    try (EventStore store = open(new RealDisk(directory.log()))) {
      bytes(store, WARM_UP_COMMITS * 64, eventsPerCommit, commit); // until methods are compiled
      for (int round = 0; round < ROUNDS; round++) {
        int events = MEASURED_COMMITS * 64;
        rounds[round] = bytes(store, events, eventsPerCommit, commit) / events;
      }
    }
    return LongStream.of(rounds).min().orElseThrow();
  }

  private long bytes(EventStore store, int count, int eventsPerCommit, Commit commit)
      throws IOException {
    long sum = 0;
    for (int i = 0; i < count; i += eventsPerCommit) {
      List<Event> events = notes.next(eventsPerCommit);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      commit.make(store, events);
      sum += THREADS.getCurrentThreadAllocatedBytes() - before;
    }
    return sum;
  }
}
