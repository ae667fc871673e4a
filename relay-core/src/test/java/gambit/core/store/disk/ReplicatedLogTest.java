package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.StoreFailure;
import gambit.core.store.StoreProgress;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RandomEvents;
import gambit.core.testkit.ReplicationModel;
import gambit.core.testkit.TestDirectories;
import gambit.core.testkit.TestEffort;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log of a store whose groups other nodes have, too. */
class ReplicatedLogTest {
  private static final Instant NOW = Instant.parse("2026-11-23T03:00:00Z");
  private static final Instant FAR_FUTURE = Instant.ofEpochSecond(4_000_000_000L);
  private static final int MUTATIONS = TestEffort.of(600, 1_000_000);

  private final Path temp = TestDirectories.create();
  private final StoreDirectory directory = directory("leader");

  ReplicatedLogTest() throws IOException {}

  @AfterEach
  void delete() throws IOException {
    StoreDirectory.delete(temp);
  }

  private StoreDirectory directory(String name) throws IOException {
    return new StoreDirectory(Files.createDirectories(temp.resolve(name)), 0, null);
  }

  private static Event note(int number) {
    return Keys.of("alice").sign(number, 1, Tags.NONE, "note " + number + "x".repeat(300));
  }

  private static LogGroup commit(DiskEventStore store, Event... events) throws IOException {
    try (Transaction transaction = store.begin()) {
      for (Event event : events) {
        transaction.append(event, Transaction.NEVER);
      }
      LogGroup group = transaction.prepare();
      transaction.commit();
      return group;
    }
  }

  private long logBytes() throws IOException {
    long sum = 0;
    for (Path segment : directory.segments()) {
      sum += Files.size(segment);
    }
    return sum;
  }

  @Test
  void commitNeedsNoRoomAfterPreparing() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory.open(disk)) {
      for (int i = 0; i < 40; i++) { // several segments
        try (Transaction transaction = store.begin()) {
          transaction.append(note(i), Transaction.NEVER);
          transaction.prepare();
          disk.setMaxFileBytes(0);
          int before = disk.operations();
          transaction.commit();
          assertThat(disk.operations() - before).isEqualTo(2); // a write and a sync
          disk.setMaxFileBytes(Long.MAX_VALUE);
        }
      }
      assertThat(disk.names()).hasSizeGreaterThan(2);
    }
  }

  @Test
  void preparingWithoutRoomChangesNothing() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (DiskEventStore store = directory.open(disk)) {
      commit(store, note(1));
      LogEnd before = store.logEnd();
      try (Transaction transaction = store.begin()) {
        for (int i = 2; i < 20; i++) {
          transaction.append(note(i), Transaction.NEVER);
        }
        disk.setMaxFileBytes(0);
        assertThatThrownBy(transaction::prepare).hasMessage("no room on purpose");
      }
      assertThat(store.logEnd()).isEqualTo(before);
      assertThat(store.size()).isEqualTo(1);
      commit(store, note(2));
      assertThat(store.logEnd().sequence()).isEqualTo(2);
    }
  }

  @Test
  void commitThatFailsAfterPreparingEndsTheStore() throws IOException {
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    LogEnd before;
    try (DiskEventStore store = directory.open(disk)) {
      commit(store, note(1));
      before = store.logEnd();
      try (Transaction transaction = store.begin()) {
        transaction.append(note(2), Transaction.NEVER);
        transaction.prepare();
        disk.failAt(disk.operations() + 1);
        assertThatThrownBy(transaction::commit)
            .isInstanceOf(StoreFailure.class)
            .hasMessage("a group that other nodes may have could not be stored");
      }
    }
    try (DiskEventStore store = directory.open(disk.afterKill())) {
      assertThat(store.logEnd()).isEqualTo(before);
    }
  }

  @Test
  void storeOfASingleRelayGoesOnAsLeader() throws Exception {
    try (DiskEventStore store = directory.open()) {
      new Workload().run(store);
    }
    assertThat(LogFile.all(directory)).anyMatch(LogFile::isRewritten);
    assertLeadsACopy();
  }

  /** Commits groups to a store, and applies them to a copy of it. */
  private void assertLeadsACopy() throws IOException {
    Random random = new Random(3);
    StoreDirectory copy = directory("follower");
    copyLog(copy);
    try (DiskEventStore leader = directory.open();
        DiskEventStore follower = copy.open()) {
      assertThat(follower.logEnd()).isEqualTo(leader.logEnd());
      ReplicationModel model = ReplicationModel.of(leader);
      assertThat(model.events()).isNotEmpty();
      for (int i = 0; i < 60; i++) {
        ReplicationModel next = model.changed(leader, random);
        if (next != model) {
          follower.apply(List.of(next.group()));
          model = next;
        }
        if (i % 20 == 0) {
          StoreDirectory.reclaimAll(follower, FAR_FUTURE);
        }
      }
      model.assertHeldBy(leader);
      model.assertHeldBy(follower);
      assertThat(follower.logEnd()).isEqualTo(leader.logEnd());
      assertThat(follower.bytes()).isEqualTo(leader.bytes());
    }
    assertIntact(directory);
    assertIntact(copy);
  }

  private void copyLog(StoreDirectory to) throws IOException {
    Files.copy(directory.path().resolve("format"), to.path().resolve("format"));
    Files.createDirectories(to.log());
    try (Stream<Path> files = Files.list(directory.log())) {
      for (Path file : files.toList()) {
        Files.copy(file, to.log().resolve(file.getFileName()));
      }
    }
  }

  private static void assertIntact(StoreDirectory store) throws IOException {
    List<String> faults = new ArrayList<>();
    StoreCheck.run(store.path(), new EventVerifier(), false, faults::add, StoreProgress.NONE);
    assertThat(faults).isEmpty();
  }

  @Test
  void spaceOfGroupsWithoutRecordsIsReclaimed() throws IOException {
    for (boolean isIndexRebuilt : new boolean[] {false, true}) {
      try (DiskEventStore store = directory.open()) {
        commit(store, note(1));
        for (int i = 0; i < 600; i++) {
          commit(store);
        }
      }
      if (isIndexRebuilt) {
        directory.deleteIndex();
      }
      try (DiskEventStore store = directory.open()) {
        LogEnd before = store.logEnd();
        assertThat(directory.segments()).hasSizeGreaterThan(4);
        StoreDirectory.reclaimAll(store, Instant.now());
        assertThat(directory.segments()).hasSize(2);
        assertThat(logBytes()).isLessThan(2 * StoreDirectory.SEGMENT_BYTES);
        assertThat(store.logEnd()).isEqualTo(before);
      }
      assertIntact(directory);
    }
  }

  @Test
  void checksumOfAGroupThatWasRewrittenIsUnknown() throws IOException {
    LogEnd before;
    try (DiskEventStore store = directory.open()) {
      commit(store, note(1), note(2));
      StoredEvent stored = ReplicationModel.of(store).events().get(0);
      try (Transaction transaction = store.begin()) {
        transaction.remove(stored, Removal.ERASED);
        transaction.commit();
      }
      before = store.logEnd();
      assertThat(before.checksum()).isNotZero();
      StoreDirectory.reclaimAll(store, FAR_FUTURE);
      assertThat(store.logEnd()).isEqualTo(new LogEnd(2, before.offset(), 0));
    }
    try (DiskEventStore store = directory.open()) {
      assertThat(store.logEnd()).isEqualTo(new LogEnd(2, before.offset(), 0));
    }
  }

  @Test
  void checksumStaysUnknownWhenTheIndexIsRebuiltFromOlderGroups() throws IOException {
    LogEnd end;
    try (DiskEventStore store = directory.open()) {
      int notes = 0;
      while (directory.segments().size() < 2) {
        commit(store, note(++notes));
      }
      Event last = note(++notes);
      commit(store, last, note(++notes));
      try (Transaction transaction = store.begin()) {
        transaction.remove(transaction.byId(last.id()).orElseThrow(), Removal.ERASED);
        transaction.commit();
      }
      StoreDirectory.reclaimAll(store, FAR_FUTURE);
      end = store.logEnd();
      assertThat(end.checksum()).isZero();
    }
    directory.deleteIndex();
    try (DiskEventStore store = directory.open()) {
      assertThat(store.logEnd()).isEqualTo(end);
    }
  }

  @Test
  void restoredLogThatEndsWithAnEmptySegmentHasItsNewestGroup() throws IOException {
    LogEnd end;
    try (DiskEventStore store = directory.open()) {
      commit(store, note(1));
      commit(store);
      backUp();
      commit(store, note(2));
      commit(store);
      end = store.logEnd();
    }
    backUp();
    Path data = Files.createDirectory(temp.resolve("restored"));
    StoreRestore.run(temp.resolve("backup"), data, StoreProgress.NONE);
    StoreDirectory restored = new StoreDirectory(data.resolve("store"), 0, null);
    try (DiskEventStore store = restored.open()) {
      assertThat(store.logEnd()).isEqualTo(end);
      assertThat(store.size()).isEqualTo(2);
    }
    assertIntact(restored);
  }

  private void backUp() throws IOException {
    StoreBackup.run(
        new StoreBackup.Request(directory.path(), Map.of(), true, NOW, 0),
        temp.resolve("backup"),
        StoreProgress.NONE);
  }

  @Test
  void unfinishedGroupWithoutRecordsThatABackupHasIsNoDamage() throws IOException {
    try (DiskEventStore store = directory.open()) {
      commit(store, note(1));
      commit(store);
    }
    backUp();
    LogFile segment = LogFile.all(directory).get(0);
    try (RandomAccessFile file =
        new RandomAccessFile(directory.log().resolve(segment.name()).toFile(), "rw")) {
      file.seek(segment.lastGroupPosition()); // as if a power cut had come before its sync
      file.write(new byte[RecordGroup.HEAD_BYTES]);
    }
    directory.simulateReboot();
    backUp();
    try (DiskEventStore store = directory.open()) {
      assertThat(store.logEnd().sequence()).isEqualTo(1);
    }
  }

  @Test
  void groupWithAnyChangedByteIsRefused() throws IOException {
    try (DiskEventStore leader = directory.open();
        DiskEventStore follower = directory("follower").open()) {
      LogGroup group = commit(leader, note(1), note(2));
      for (int i = 0; i < group.records().length; i++) {
        byte[] records = group.records().clone();
        records[i] ^= 4;
        assertThatThrownBy(() -> follower.apply(List.of(with(group, records))))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(follower.logEnd().sequence()).isZero();
    }
  }

  private static LogGroup with(LogGroup group, byte[] records) {
    return new LogGroup(group.sequence(), group.offset(), group.count(), records);
  }

  @Test
  void malformedRecordsWithValidChecksumsAreRefusedWithoutAnyOtherError() throws IOException {
    Random random = new Random();
    long seed = random.nextLong();
    random.setSeed(seed);
    int refused = 0;
    LogEnd end = new LogEnd(0, 0, 0);
    StoreDirectory followers = directory("follower");
    try (DiskEventStore leader = directory.open();
        DiskEventStore follower = followers.open()) {
      ReplicationModel model = ReplicationModel.empty();
      while (model.group().sequence() < 20) {
        ReplicationModel next = model.changed(leader, random);
        if (next != model) {
          follower.apply(List.of(next.group()));
          model = next;
        }
      }
      RecordGroup group = new RecordGroup();
      for (int i = 0; i < MUTATIONS; i++) {
        refused += isRefused(follower, mutated(group, follower, random)) ? 1 : 0;
      }
      assertThat(refused).as("seed %d", seed).isBetween(1, MUTATIONS - 1);
      end = follower.logEnd();
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed " + seed, e);
    }
    followers.deleteIndex();
    try (DiskEventStore follower = followers.open()) { // what was applied can be replayed
      assertThat(follower.logEnd()).as("seed %d", seed).isEqualTo(end);
    }
  }

  /** Records that are well formed, but for a changed byte or kind; all have valid checksums. */
  private static LogGroup mutated(RecordGroup group, DiskEventStore store, Random random) {
    LogEnd end = store.logEnd();
    group.clear();
    int at = RecordGroup.HEAD_BYTES;
    for (int i = random.nextInt(3); i >= 0; i--) {
      at = group.position();
      putRecord(group, random.nextLong(end.offset() + 64), random);
    }
    ByteBuffer in = group.view();
    if (random.nextInt(8) == 0) {
      in.put(at, (byte) (in.get(at) ^ (1 + random.nextInt(7)) << 4));
    } else {
      int length = Records.size(in, at) - Records.HEAD_BYTES - Records.CHECKSUM_BYTES;
      in.put(at + Records.HEAD_BYTES + random.nextInt(length), (byte) random.nextInt());
    }
    return group.sealedCopy(end.sequence() + 1, end.offset());
  }

  private static void putRecord(RecordGroup group, long target, Random random) {
    byte[] key = {(byte) random.nextInt(4)};
    Event event = RandomEvents.event(random);
    switch (random.nextInt(4)) {
      case 0 -> Records.putRemoval(group.reserveRecord(Records.REMOVAL_BYTES), target, 0);
      case 1 -> Records.putErasure(group.reserveRecord(Records.ERASURE_BYTES), 7);
      case 2 ->
          Records.putRow(
              group.reserveRecord(Records.sizeOfRow("games", key, key)), "games", key, key);
      default ->
          Records.putEvent(
              group.reserveRecord(Records.sizeOfEvent(event)), event, Transaction.NEVER);
    }
  }

  private static boolean isRefused(DiskEventStore store, LogGroup group) throws IOException {
    LogEnd before = store.logEnd();
    try {
      store.apply(List.of(group));
      assertThat(store.logEnd().checksum()).isEqualTo(group.checksum());
      return false;
    } catch (IllegalArgumentException e) {
      assertThat(store.logEnd()).isEqualTo(before);
      return true;
    }
  }
}
