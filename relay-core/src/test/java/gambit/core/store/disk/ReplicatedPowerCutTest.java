package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogSnapshot;
import gambit.core.testkit.ReplicationModel;
import gambit.core.testkit.TestEffort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * After a power cut, a killed process or a failed disk operation at any moment while groups of
 * another store are applied, the store ends with one of them, has all that it has acknowledged, and
 * applies the rest.
 */
class ReplicatedPowerCutTest {
  private static final int SEEDS = TestEffort.of(1, 200);
  private static final int GROUPS = 60;
  private static final int MAX_GROUPS_AT_ONCE = 6;

  /** After each number of groups. */
  private final List<ReplicationModel> models = new ArrayList<>(List.of(ReplicationModel.empty()));

  private StoreDirectory directory = new StoreDirectory();

  ReplicatedPowerCutTest() throws IOException {}

  @BeforeEach
  void makeGroups() throws IOException {
    Random random = new Random(1);
    try (DiskEventStore leader = directory.open()) {
      while (models.size() <= GROUPS) {
        ReplicationModel last = models.get(models.size() - 1);
        ReplicationModel next = last.changed(leader, random);
        if (next != last) {
          models.add(next);
        }
      }
    }
  }

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  private void fresh() throws IOException {
    delete();
    directory = new StoreDirectory();
  }

  /** Applies groups to a store that may end at any moment. */
  private final class Follower {
    private int acknowledged; // groups
    private int attempted; // groups, with those that are being applied

    void applyAll(DiskEventStore store) throws IOException {
      Random random = new Random(2);
      while (acknowledged < GROUPS) {
        attempted = Math.min(GROUPS, acknowledged + 1 + random.nextInt(MAX_GROUPS_AT_ONCE));
        try {
          apply(store, acknowledged, attempted);
          acknowledged = attempted;
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("on purpose");
          assertHolds(store, acknowledged, "a failed operation");
        }
      }
    }

    void run(FaultyDisk disk) throws IOException {
      try (DiskEventStore store = directory.open(disk)) {
        applyAll(store);
        assertHolds(store, GROUPS, "no fault");
      } catch (Error e) {
        if (!Workload.endsTheStore(e)) {
          throw e;
        }
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("on purpose"); // the store could not be opened
      }
    }

    void assertRecovers(FaultyDisk disk, String after) throws IOException {
      assertLogIsIntact(disk, after);
      try (DiskEventStore store = directory.open(disk)) {
        int found = (int) store.logEnd().sequence();
        assertThat(found).as(after).isBetween(acknowledged, attempted);
        assertHolds(store, found, after);
        apply(store, found, GROUPS);
        assertHolds(store, GROUPS, after);
      }
      assertLogIsIntact(disk, after);
    }
  }

  private void apply(DiskEventStore store, int from, int to) throws IOException {
    List<LogGroup> groups =
        models.subList(from + 1, to + 1).stream().map(ReplicationModel::group).toList();
    assertThat(store.apply(groups)).hasSameSizeAs(groups);
  }

  private void assertHolds(DiskEventStore store, int groups, String after) {
    LogEnd end = store.logEnd();
    assertThat(end.sequence()).as(after).isEqualTo(groups);
    assertThat(end.checksum())
        .as(after)
        .isEqualTo(groups == 0 ? 0 : models.get(groups).group().checksum());
    models.get(groups).assertHeldBy(store);
  }

  private static void assertLogIsIntact(Disk disk, String after) throws IOException {
    List<String> faults = new ArrayList<>();
    LogCheck check = new LogCheck(faults::add, null, StoreProgress.NONE);
    try (LogSnapshot log = LogSnapshot.open(disk, e -> faults.add(e.getMessage()))) {
      if (!log.segments().isEmpty()) { // the store was not opened
        check.run(log.segments(), 0);
      }
    }
    assertThat(faults).as(after).isEmpty();
  }

  private int operations() throws IOException {
    fresh();
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    new Follower().run(disk);
    assertThat(disk.operations()).isGreaterThan(GROUPS);
    return disk.operations();
  }

  private void cutPower(int cut, Random random) throws IOException {
    fresh();
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE).cutPowerAt(cut);
    Follower follower = new Follower();
    follower.run(disk);
    directory.simulateReboot();
    follower.assertRecovers(disk.afterPowerCut(random), "power cut at operation " + cut);
  }

  @Test
  void acknowledgedGroupsSurviveAPowerCutAtAnyOperation() throws IOException {
    int operations = operations();
    for (int cut = 1; cut <= operations; cut++) {
      for (int seed = 0; seed < SEEDS; seed++) {
        cutPower(cut, new Random(seed));
      }
    }
  }

  @Test
  void acknowledgedGroupsSurviveAKillAtAnyOperation() throws IOException {
    int operations = operations();
    for (int cut = 1; cut <= operations; cut++) {
      fresh();
      FaultyDisk disk = new FaultyDisk(SyncFault.NONE).cutPowerAt(cut);
      Follower follower = new Follower();
      follower.run(disk);
      directory.markOpen();
      follower.assertRecovers(disk.afterKill(), "killed at operation " + cut);
    }
  }

  @Test
  void noGroupOfAListIsAppliedIfAnyOperationFails() throws IOException {
    int operations = operations();
    for (int failing = 1; failing <= operations; failing++) {
      fresh();
      FaultyDisk disk = new FaultyDisk(SyncFault.NONE).failAt(failing);
      Follower follower = new Follower();
      follower.run(disk);
      directory.markOpen();
      follower.assertRecovers(disk.afterKill(), "failed at operation " + failing);
    }
  }

  @Test
  void listThatCouldNotBeWrittenIsAbsentAfterRestart() throws IOException {
    fresh();
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory.openWithLargeSegments(disk)) {
      apply(store, 0, 5);
      disk.failAt(disk.operations() + 4);
      assertThatThrownBy(() -> apply(store, 5, 10)).hasMessageContaining("on purpose");
    }
    try (DiskEventStore store = directory.openWithLargeSegments(disk.afterKill())) {
      assertHolds(store, 5, "a failed write");
      apply(store, 5, GROUPS);
      assertHolds(store, GROUPS, "a failed write");
    }
  }

  @Test
  void listIsWrittenGroupByGroupAndSyncedOnce() throws IOException {
    fresh();
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory.openWithLargeSegments(disk)) {
      apply(store, 0, 1); // allocates the segment
      int before = disk.operations();
      apply(store, 1, GROUPS);
      assertThat(disk.operations() - before).isEqualTo(GROUPS - 1 + 1);
    }
  }

  @Test
  void listOnDiskWithoutRoomForAllOfItsGroupsIsRefused() throws IOException {
    fresh();
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory.open(disk)) {
      apply(store, 0, 5);
      disk.setMaxFileBytes(1);
      assertThatThrownBy(() -> apply(store, 5, GROUPS)).hasMessage("no room on purpose");
      assertHolds(store, 5, "a full disk");
      disk.setMaxFileBytes(Long.MAX_VALUE);
      apply(store, 5, GROUPS);
      assertHolds(store, GROUPS, "a disk that has room again");
    }
  }
}
