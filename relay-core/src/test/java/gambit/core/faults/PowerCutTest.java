package gambit.core.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.store.StoreDamaged;
import gambit.core.store.StoreFailure;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.FaultyDisk;
import gambit.core.store.disk.FaultyDisk.PowerCut;
import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.store.disk.Workload;
import gambit.core.store.disk.Workload.Content;
import gambit.core.testkit.TestEffort;
import java.io.IOException;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * After a power cut, a killed process or a failed disk operation at any moment, every acknowledged
 * commit is there, and no partial one.
 */
class PowerCutTest {
  private static final int SEEDS = TestEffort.of(1, 200);

  private @Nullable StoreDirectory directory;

  @AfterEach
  void delete() throws IOException {
    if (directory != null) {
      directory.delete();
    }
  }

  @Test
  void acknowledgedCommitsSurviveAPowerCutAtAnyOperation() throws IOException {
    int operations = operations(SyncFault.NONE);
    assertThat(operations).isGreaterThan(100);
    for (int cut = 1; cut <= operations; cut++) {
      for (int seed = 0; seed < SEEDS; seed++) {
        cutPower(SyncFault.NONE, cut, new Random(seed));
      }
    }
  }

  @Test
  void acknowledgedCommitsSurviveAKillAtAnyOperation() throws IOException {
    int operations = operations(SyncFault.NONE);
    for (int cut = 1; cut <= operations; cut++) {
      kill(cut);
    }
  }

  @Test
  void acknowledgedCommitsSurviveAFailureOfAnyOperation() throws IOException {
    int operations = operations(SyncFault.NONE);
    for (int failing = 1; failing <= operations; failing++) {
      fail(failing);
    }
  }

  @Test
  void failedSyncEndsTheStore() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory().open(disk);
        Transaction transaction = store.begin()) {
      transaction.putRow("rows", new byte[1], new byte[1]);
      disk.failAt(disk.operations() + 3); // after the zeros and the group
      assertThatThrownBy(transaction::commit)
          .isInstanceOf(StoreFailure.class)
          .hasMessage("the event log could not be synced to the disk");
    }
  }

  @Test
  void groupWhoseWriteFailedIsAbsentAfterRestart() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory().open(disk)) {
      put(store, 1);
      disk.failAt(disk.operations() + 1);
      assertThatThrownBy(() -> put(store, 2)).hasMessageContaining("on purpose");
    }
    try (DiskEventStore store = directory().open(disk.afterKill())) {
      assertThat(store.rows("rows").get("00")).containsExactly(1);
    }
  }

  @Test
  void unfinishedGroupIsReadOnceHoweverLarge() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    byte[] large = new byte[StoreDirectory.SEGMENT_BYTES * 3 / 4];
    new Random(1).nextBytes(large);
    try (DiskEventStore store = directory().open(disk);
        Transaction transaction = store.begin()) {
      transaction.putRow("rows", new byte[1], large);
      disk.cutPowerAt(disk.operations() + 3); // after the zeros and the group
      assertThatThrownBy(transaction::commit).isInstanceOf(PowerCut.class);
    }
    directory().simulateReboot();
    FaultyDisk after = disk.afterPowerCut(new Random(1));
    try (DiskEventStore store = directory().open(after)) {
      assertThat(store.rows("rows").get("00")).isNull();
      assertThat(after.bytesRead())
          .isBetween((long) large.length, 3L * StoreDirectory.SEGMENT_BYTES);
    }
  }

  private static void put(DiskEventStore store, int value) throws IOException {
    try (Transaction transaction = store.begin()) {
      transaction.putRow("rows", new byte[1], new byte[] {(byte) value});
      transaction.commit();
    }
  }

  @Test
  void diskThatDoesNotSyncLosesCommits() {
    assertThatThrownBy(() -> cutPowerEverywhere(SyncFault.FILES_ARE_NOT_SYNCED))
        .isInstanceOfAny(AssertionError.class, StoreDamaged.class);
    assertThatThrownBy(() -> cutPowerEverywhere(SyncFault.NAMES_ARE_NOT_SYNCED))
        .isInstanceOfAny(AssertionError.class, StoreDamaged.class);
  }

  private void cutPowerEverywhere(SyncFault lie) throws IOException {
    int operations = operations(lie);
    for (int cut = 1; cut <= operations; cut++) {
      cutPower(lie, cut, new Random(cut));
    }
  }

  /** The number of operations of the whole workload. */
  private int operations(SyncFault lie) throws IOException {
    fresh();
    FaultyDisk disk = new FaultyDisk(lie);
    Workload workload = new Workload();
    try (DiskEventStore store = directory().open(disk)) {
      workload.run(store);
      assertThat(Content.of(store)).isEqualTo(workload.committed());
    }
    return disk.operations();
  }

  private void cutPower(SyncFault lie, int cut, Random random) throws IOException {
    fresh();
    FaultyDisk disk = new FaultyDisk(lie).cutPowerAt(cut);
    Workload workload = new Workload();
    runUntilItEnds(workload, disk);
    directory().simulateReboot();
    assertRecovers(workload, disk.afterPowerCut(random), "power cut at operation " + cut);
  }

  private void kill(int cut) throws IOException {
    fresh();
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE).cutPowerAt(cut);
    Workload workload = new Workload();
    runUntilItEnds(workload, disk);
    directory().markOpen();
    assertRecovers(workload, disk.afterKill(), "killed at operation " + cut);
  }

  private void fail(int failing) throws IOException {
    fresh();
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE).failAt(failing);
    Workload workload = new Workload();
    runUntilItEnds(workload, disk);
    directory().markOpen();
    assertRecovers(workload, disk.afterKill(), "failed at operation " + failing);
  }

  private void runUntilItEnds(Workload workload, FaultyDisk disk) throws IOException {
    try (DiskEventStore store = directory().open(disk)) {
      workload.run(store);
      assertThat(Content.of(store)).isEqualTo(workload.committed());
    } catch (Error e) {
      if (!Workload.endsTheStore(e)) {
        throw e;
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("on purpose"); // the store could not be opened
    }
  }

  private void assertRecovers(Workload workload, FaultyDisk disk, String after) throws IOException {
    try (DiskEventStore store = directory().open(disk)) {
      assertThat(Content.of(store)).as(after).isIn(workload.possible());
      Workload more = new Workload();
      more.skipTo(workload, Content.of(store));
      more.run(store);
      assertThat(Content.of(store)).as(after).isEqualTo(more.committed());
    }
  }

  @BeforeEach
  void fresh() throws IOException {
    delete();
    directory = new StoreDirectory(null);
  }

  private StoreDirectory directory() {
    if (directory == null) {
      throw new IllegalStateException("the directory is created before each test");
    }
    return directory;
  }
}
