package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import gambit.core.files.DirectoryLock;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.StoreBackup.Outcome;
import gambit.core.store.disk.Workload.Content;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestDirectories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Backups of a store that may be in use, and what is restored from them. */
class StoreBackupTest {
  private static final Instant NOW = Instant.parse("2026-11-23T03:00:00Z");
  private static final Map<String, byte[]> FILES =
      Map.of("relay.key", "secret\n".getBytes(StandardCharsets.US_ASCII));
  private static final int SEALED_GROUPS = 40;
  private static final int LARGE_SEGMENT_BYTES = 256 << 10;
  private static final int BACKUPS_UNDER_LOAD = 3;
  private static final int MIN_GROUPS_UNDER_LOAD = 60;

  private final Path temp = TestDirectories.create();
  private final StoreDirectory source = new StoreDirectory(temp.resolve("source"), 0, null);
  private final Path backup = temp.resolve("backup");
  private int restored;

  StoreBackupTest() throws IOException {
    Files.createDirectories(source.path());
  }

  @AfterEach
  void delete() throws IOException {
    StoreDirectory.delete(temp);
  }

  private Outcome backUp() throws IOException {
    return backUp(source, false);
  }

  private Outcome backUp(StoreDirectory from, boolean verifiesKept) throws IOException {
    return StoreBackup.run(
        new StoreBackup.Request(from.path(), FILES, verifiesKept, NOW, 0),
        backup,
        StoreProgress.NONE);
  }

  private Path newData() throws IOException {
    return Files.createDirectory(temp.resolve("restored " + restored++));
  }

  /** Restores the backup into a new directory. */
  private StoreDirectory restore() throws IOException {
    Path data = newData();
    StoreRestore.run(backup, data, StoreProgress.NONE);
    assertThat(data.resolve("relay.key")).hasContent("secret");
    assertThat(names(data)).containsExactlyInAnyOrder("relay.key", "store");
    return new StoreDirectory(data.resolve("store"), 0, null);
  }

  private Content restoredContent() throws IOException {
    try (DiskEventStore store = restore().open()) {
      return Content.of(store);
    }
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(it -> it.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  /** The sealed and the last segment, each with some groups, of a store that is closed. */
  private void fill() throws IOException {
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1, SEALED_GROUPS);
    }
    assertThat(source.segments()).hasSizeGreaterThan(2);
  }

  private Path copyOf(Path segment) {
    return backup.resolve(segment.getFileName() + ".1");
  }

  private static void flipBit(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 4;
    Files.write(file, bytes);
  }

  @Test
  void restoredStoreHasTheContentOfAnOpenStoreAndOfAClosedOne() throws IOException {
    try (DiskEventStore store = source.open()) {
      Workload workload = new Workload();
      workload.run(store);
      backUp();
      assertThat(restoredContent()).isEqualTo(workload.committed());
    }
    Content content = restoredContent();
    assertThat(backUp().copiedBytes()).isEqualTo(FILES.get("relay.key").length);
    assertThat(restoredContent()).isEqualTo(content);
  }

  @Test
  void emptyStoreIsRestoredEmpty() throws IOException {
    source.open().close();
    backUp();
    assertThat(restoredContent()).isEqualTo(Content.NOTHING);
  }

  @Test
  void furtherBackupCopiesNewGroupsOnly() throws IOException {
    fill();
    Outcome first = backUp();
    assertThat(first.number()).isEqualTo(1);
    assertThat(first.keptSegments()).isZero();
    assertThat(first.copiedBytes()).isEqualTo(first.totalBytes());
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, SEALED_GROUPS + 1, SEALED_GROUPS + 1);
      Outcome second = backUp();
      assertThat(second.number()).isEqualTo(2);
      assertThat(second.keptSegments()).isGreaterThanOrEqualTo(first.segments() - 1);
      assertThat(second.copiedBytes())
          .isEqualTo(second.totalBytes() - first.totalBytes() + FILES.get("relay.key").length)
          .isLessThan(first.totalBytes() / 4);
      assertThat(restoredContent()).isEqualTo(Content.of(store));
    }
  }

  @Test
  void rewrittenSegmentsReplaceThoseOfTheFormerBackup() throws IOException {
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1, 150);
      backUp();
      StoreDirectory.reclaimAll(store, StoreWriterMain.FAR_FUTURE);
      Outcome second = backUp();
      assertThat(restoredContent()).isEqualTo(Content.of(store));
      assertThat(second.keptSegments()).isLessThan(second.segments());
      assertThat(names(backup)).hasSize(second.segments() + 3); // lock, manifest, relay.key
    }
  }

  @Test
  void everyCommitBeforeABackupBeginsIsInItWhileOthersFollowAndSegmentsAreRewritten()
      throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    AtomicLong acknowledged = new AtomicLong();
    ExecutorService writing = Executors.newSingleThreadExecutor();
    try (DiskEventStore store = source.open()) {
      Future<?> writer =
          writing.submit(
              () -> {
                for (long number = 1; !ends.get(); number++) {
                  NumberedGroups.commit(store, number);
                  acknowledged.set(number);
                  if (number % 25 == 0) {
                    StoreDirectory.reclaimAll(store, StoreWriterMain.FAR_FUTURE);
                  }
                }
                return null;
              });
      MemoryEventStore model = new MemoryEventStore(Long.MAX_VALUE);
      for (int i = 0; i < BACKUPS_UNDER_LOAD || acknowledged.get() < MIN_GROUPS_UNDER_LOAD; i++) {
        assertThat(writer.isDone()).isFalse();
        long before = acknowledged.get();
        backUp();
        try (DiskEventStore copy = restore().open()) {
          long count = NumberedGroups.count(copy);
          assertThat(count).isGreaterThanOrEqualTo(before);
          for (long known = NumberedGroups.count(model); known < count; known++) {
            NumberedGroups.commit(model, known + 1);
          }
          assertThat(Content.of(copy)).isEqualTo(Content.of(model));
        }
      }
      ends.set(true);
      writer.get();
    } finally {
      ends.set(true);
      writing.shutdown();
    }
  }

  @Test
  void damagedBackupIsRefusedWithTheNameOfTheFile() throws IOException {
    fill();
    backUp();
    for (String name : names(backup)) {
      if (name.equals("lock")) {
        continue;
      }
      String expected =
          name.equals("manifest")
              ? "the backup is damaged: its manifest is not what was written"
              : "the backup is damaged: " + name + " has another content than was written";
      Path file = backup.resolve(name);
      int last = (int) Files.size(file) - 1;
      flipBit(file, last);
      assertRefused(expected);
      flipBit(file, last);
      byte[] content = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(content, last));
      assertRefused("the backup is damaged: ");
      Files.delete(file);
      assertRefused(
          name.equals("manifest")
              ? "there is no complete backup: the file manifest is missing"
              : "the backup is damaged: " + name + " is missing");
      Files.write(file, content);
    }
    StoreRestore.verify(backup, StoreProgress.NONE);
  }

  private void assertRefused(String message) throws IOException {
    assertThatIOException()
        .isThrownBy(() -> StoreRestore.verify(backup, StoreProgress.NONE))
        .withMessageStartingWith(message);
    Path data = newData();
    assertThatIOException()
        .isThrownBy(() -> StoreRestore.run(backup, data, StoreProgress.NONE))
        .withMessageStartingWith(message);
    assertThat(names(data)).isEmpty();
  }

  @Test
  void backupOfADamagedLogIsRefusedAndTheFormerOneKept() throws IOException {
    fill();
    backUp();
    Content content = restoredContent();
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, SEALED_GROUPS + 1, SEALED_GROUPS + 1);
    }
    List<LogFile> files = LogFile.all(source);
    LogFile last = files.get(files.size() - 1);
    LogFile.RecordLocation event = last.events().get(0);
    event.flipBit(event.size() - 1);
    assertThatIOException()
        .isThrownBy(this::backUp)
        .withMessageStartingWith(
            "the event log is damaged: segment " + last.name() + ", byte " + event.at());
    assertThat(restoredContent()).isEqualTo(content);
  }

  /** Without the copy, it could not be told from a group that was being written at a power cut. */
  @Test
  void lastGroupThatTheFormerBackupHasIntactIsNotDroppedWhenItIsDamaged() throws IOException {
    fill();
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, SEALED_GROUPS + 1, SEALED_GROUPS + 1);
    }
    backUp();
    Content content = restoredContent();
    List<LogFile> files = LogFile.all(source);
    LogFile last = files.get(files.size() - 1);
    List<LogFile.RecordLocation> events = last.events();
    LogFile.RecordLocation event = events.get(events.size() - 1);
    event.flipBit(event.size() - 1);
    assertThatIOException()
        .isThrownBy(this::backUp)
        .withMessageStartingWith("the event log is damaged: segment " + last.name())
        .withMessageEndingWith("the group is damaged, and the former backup has it intact");
    assertThat(restoredContent()).isEqualTo(content);
  }

  @Test
  void damageInTheMiddleOfACopyIsFoundWhenCopiesAreVerified() throws IOException {
    try (DiskEventStore store = source.openWithLogIn(source.log(), LARGE_SEGMENT_BYTES, 1_000)) {
      for (long number = 1; source.segments().size() < 2; number++) {
        NumberedGroups.commit(store, number);
      }
    }
    backUp();
    flipBit(copyOf(source.segments().get(0)), LARGE_SEGMENT_BYTES / 3);
    assertThat(backUp().keptSegments()).isEqualTo(2);
    assertRefused("the backup is damaged: ");
    assertThat(backUp(source, true).keptSegments()).isEqualTo(1);
    StoreRestore.verify(backup, StoreProgress.NONE);
  }

  @Test
  void missingOrTruncatedCopyIsMadeAgain() throws IOException {
    fill();
    backUp();
    Files.delete(copyOf(source.segments().get(0)));
    Files.write(copyOf(source.segments().get(1)), new byte[100]);
    assertThat(backUp().keptSegments()).isEqualTo(source.segments().size() - 2);
    StoreRestore.verify(backup, StoreProgress.NONE);
  }

  /** Two stores continue from one backup: neither may be mixed with copies of the other. */
  @Test
  void storeRestoredFromAnEarlierBackupIsBackedUpIntoTheDirectoryOfALaterOne() throws IOException {
    fill();
    backUp();
    StoreDirectory other = restore();
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, SEALED_GROUPS + 1, SEALED_GROUPS + 30);
    }
    backUp();
    try (DiskEventStore store = other.open()) {
      NumberedGroups.commit(store, SEALED_GROUPS + 101, SEALED_GROUPS + 130);
      StoreDirectory.reclaimAll(store, StoreWriterMain.FAR_FUTURE);
      backUp(other, false);
      assertThat(restoredContent()).isEqualTo(Content.of(store));
    }
    backUp();
    try (DiskEventStore store = source.open()) {
      assertThat(restoredContent()).isEqualTo(Content.of(store));
    }
  }

  /**
   * After a power cut, an unacknowledged group may be in the backup only, and another in its place.
   */
  @Test
  void lastSegmentThatContinuesOtherwiseIsCopiedAgain() throws IOException {
    fill();
    List<Path> segments = source.segments();
    Path last = segments.get(segments.size() - 1);
    byte[] before = Files.readAllBytes(last);
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1000, 1000);
    }
    assertThat(source.segments()).isEqualTo(segments);
    backUp();
    Files.write(last, before);
    source.deleteIndex();
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 2000, 2001);
      backUp();
      assertThat(restoredContent()).isEqualTo(Content.of(store));
    }
  }

  @Test
  void directoryWithOtherFilesIsRefusedForABackupAndForARestore() throws IOException {
    fill();
    Files.createDirectory(backup);
    Files.createFile(backup.resolve("photo.1"));
    assertThatIOException().isThrownBy(this::backUp).withMessageContaining("such as photo.1");
    Files.delete(backup.resolve("photo.1"));
    backUp();
    Path data = newData();
    Files.write(data.resolve("relay.key"), "another".getBytes(StandardCharsets.US_ASCII));
    assertThatIOException()
        .isThrownBy(() -> StoreRestore.run(backup, data, StoreProgress.NONE))
        .withMessageContaining("is not empty: relay.key is not the one of the backup");
    Files.write(data.resolve("relay.key"), FILES.get("relay.key"));
    StoreRestore.run(backup, data, StoreProgress.NONE);
    assertThatIOException()
        .isThrownBy(() -> StoreRestore.run(backup, data, StoreProgress.NONE))
        .withMessageContaining("is not empty: store is not");
  }

  @Test
  void filesOfABackupAndRestoredKeysAreReadableByTheirOwnerOnly() throws IOException {
    fill();
    backUp();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
        .isEqualTo("rwx------");
    for (String name : names(backup)) {
      assertThat(Files.getPosixFilePermissions(backup.resolve(name)))
          .as(name)
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
    Path key = restore().path().resolveSibling("relay.key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }

  @Test
  void twoBackupsIntoOneDirectoryAtOnceAreRefused() throws IOException {
    fill();
    try (BackupDirectory opened = BackupDirectory.openForWriting(backup)) {
      assertThat(opened).isNotNull();
      assertThatIOException().isThrownBy(this::backUp).isInstanceOf(DirectoryLock.InUse.class);
    }
  }
}
