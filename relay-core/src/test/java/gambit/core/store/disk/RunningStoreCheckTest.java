package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.EventVerifier;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.StoreCheck.Outcome;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogSnapshot;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The check of a store that is open, written to and rewritten meanwhile. */
class RunningStoreCheckTest {
  private static final EventVerifier VERIFIER = new EventVerifier();
  private static final int MIN_REWRITINGS = 5;
  private static final int GROUPS_PER_RECLAIM = 25;

  private final StoreDirectory directory = new StoreDirectory();
  private final List<String> faults = new ArrayList<>();

  RunningStoreCheckTest() throws IOException {}

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  private Outcome check() throws IOException {
    return StoreCheck.run(directory.path(), VERIFIER, false, faults::add, StoreProgress.NONE);
  }

  @Test
  void openStoreIsCheckedWithoutItsIndex() throws IOException {
    Workload workload = new Workload();
    try (DiskEventStore store = directory.open()) {
      workload.run(store);
      Outcome outcome = check();
      assertThat(faults).isEmpty();
      assertThat(outcome.inForce())
          .isEqualTo(workload.committed().events().size() + workload.committed().rows().size());
      assertThat(outcome.index()).isEqualTo("not checked: another process is using the store");
    }
  }

  @Test
  void damageIsReportedWhileTheStoreIsOpen() throws IOException {
    new Workload().run(directory.open());
    LogFile.RecordLocation event = LogFile.all(directory).get(1).events().get(0);
    event.flipBit(event.size() - 1);
    check();
    assertThat(faults)
        .containsExactly(
            "segment "
                + event.file().name()
                + ", byte "
                + event.at()
                + ": event "
                + event.event().id()
                + ": the record is damaged");
  }

  @Test
  void groupsThatAreWrittenAndSegmentsThatAreRewrittenDuringChecksAreNoDamage() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    AtomicLong rewritings = new AtomicLong();
    ExecutorService writing = Executors.newSingleThreadExecutor();
    try (DiskEventStore store = directory.open()) {
      NumberedGroups.commit(store, 1);
      Future<?> writer =
          writing.submit(
              () -> {
                for (long number = 2; !ends.get(); number++) {
                  NumberedGroups.commit(store, number);
                  if (number % GROUPS_PER_RECLAIM == 0) {
                    StoreDirectory.reclaimAll(store, StoreWriterMain.FAR_FUTURE);
                    rewritings.incrementAndGet();
                  }
                }
                return null;
              });
      while (!writer.isDone() && rewritings.get() < MIN_REWRITINGS) {
        assertThat(check().records()).isPositive();
        assertThat(faults).isEmpty();
      }
      ends.set(true);
      writer.get();
    } finally {
      ends.set(true);
      writing.shutdown();
    }
  }

  @Test
  void listingThatHasMissedReplacedSegmentsIsRepeated() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory.open(disk)) {
      new Workload().run(store);
    }
    List<String> names = disk.names().stream().filter(Segment::isFileName).sorted().toList();
    List<String> shorter = names.subList(0, names.size() - 1);
    List<String> gone = List.of(Segment.fileName(1, 0));
    for (List<String> wrong : List.of(shorter, gone)) {
      disk.setNextNames(wrong);
      try (LogSnapshot log = LogSnapshot.open(disk, e -> faults.add(e.getMessage()))) {
        assertThat(log.segments()).extracting(Segment::name).isEqualTo(names);
        assertThat(faults).isEmpty();
      }
    }
  }

  @Test
  void segmentThatCannotBeReadIsReportedAndTheOthersAreChecked() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory.open(disk)) {
      new Workload().run(store);
    }
    LogCheck all = checkLogOf(disk);
    assertThat(faults).isEmpty();
    String first = disk.names().stream().filter(Segment::isFileName).sorted().toList().get(0);
    disk.failReadsOf(first);
    LogCheck rest = checkLogOf(disk);
    assertThat(faults)
        .containsExactly("segment " + first + ", byte 0: it cannot be read: bad sector on purpose");
    assertThat(rest.records()).isPositive().isLessThan(all.records());
  }

  private LogCheck checkLogOf(Disk disk) throws IOException {
    LogCheck check = new LogCheck(faults::add, VERIFIER, StoreProgress.NONE);
    try (LogSnapshot log = LogSnapshot.open(disk, e -> faults.add(e.getMessage()))) {
      check.run(log.segments(), 0);
      check.forEachInForce(log.segments(), (segment, at, offset) -> {});
    }
    return check;
  }
}
