package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.files.Directories;
import gambit.core.store.StoreProgress;
import gambit.core.store.disk.BackupManifest.Copy;
import gambit.core.store.disk.FaultyDisk.PowerCut;
import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.RealDisk;
import gambit.core.testkit.SyncCheckingFiles;
import gambit.core.testkit.TestDirectories;
import gambit.core.testkit.TestEffort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A backup that ends in the middle, with its process, for lack of power or by a failing disk,
 * leaves the former one; a restore that does can be repeated.
 */
class BackupFaultsTest {
  private static final int SEEDS = TestEffort.of(1, 100);
  private static final int SEEDS_AFTER_RENAMING = TestEffort.of(2, 200);
  private static final Map<String, byte[]> FILES =
      Map.of(
          "relay.key", "secret".getBytes(StandardCharsets.US_ASCII),
          "house.key", "another".getBytes(StandardCharsets.US_ASCII));

  private final Path temp = TestDirectories.create();
  private final StoreDirectory source = new StoreDirectory(temp.resolve("source"), 0, null);
  private final FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
  private int restored;

  BackupFaultsTest() throws IOException {
    Files.createDirectories(source.path());
  }

  /** A first backup; then the store grows, and some of its segments are rewritten. */
  @BeforeEach
  void backUpAndContinue() throws IOException {
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1, 12);
      backUp(disk);
      NumberedGroups.commit(store, 13, 20);
      StoreDirectory.reclaimAll(store, StoreWriterMain.FAR_FUTURE);
      NumberedGroups.commit(store, 21, 23);
    }
  }

  @AfterEach
  void delete() throws IOException {
    StoreDirectory.delete(temp);
  }

  private void backUp(Disk to) throws IOException {
    StoreBackup.Request request =
        new StoreBackup.Request(source.path(), FILES, false, Instant.EPOCH, 0);
    StoreBackup.run(request, RealDisk.readOnly(source.log()), to, StoreProgress.NONE);
  }

  /** The restored files, except for the empty last segment, whose salt is random. */
  private Map<String, String> restore(Disk from) throws IOException {
    Path data = Files.createDirectory(temp.resolve("data " + restored++));
    StoreRestore.run(from, data, StoreProgress.NONE);
    Map<String, String> content = contentOf(data);
    StoreDirectory.delete(data);
    return content;
  }

  private static Map<String, String> contentOf(Path data) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> found = Files.walk(data).filter(Files::isRegularFile)) {
      for (Path file : found.toList()) {
        if (Files.size(file) < LogFiles.SEGMENT_BYTES) {
          files.put(
              "" + data.relativize(file), Files.readString(file, StandardCharsets.ISO_8859_1));
        }
      }
    }
    return files;
  }

  /**
   * What a restore would write: the content of each file is given by its hash, which a restore
   * verifies as well. A restore waits for the real disk some twenty times.
   */
  private static BackupManifest verified(Disk backup) throws IOException {
    StoreRestore.verify(backup, StoreProgress.NONE);
    BackupManifest manifest = Objects.requireNonNull(BackupManifest.read(backup));
    List<Copy> files =
        manifest.files().stream()
            .map(it -> new Copy(it.isSegment(), 0, it.length(), it.sha256(), it.name()))
            .toList();
    return new BackupManifest(
        0, manifest.time(), manifest.format(), manifest.logEnd(), manifest.nextSequence(), files);
  }

  /** The number of operations of a second backup. */
  private int operations() throws IOException {
    FaultyDisk copy = disk.afterKill();
    backUp(copy);
    return copy.operations();
  }

  /** The backup after one that nothing disturbs. */
  private BackupManifest continued() throws IOException {
    FaultyDisk finished = disk.afterKill();
    backUp(finished);
    return verified(finished);
  }

  private static int numberOf(Disk backup) throws IOException {
    BackupManifest manifest = BackupManifest.read(backup);
    return manifest == null ? 0 : manifest.number();
  }

  @Test
  void formerOrNewBackupIsCompleteAfterAPowerCutAtAnyOperation() throws IOException {
    BackupManifest former = verified(disk);
    BackupManifest expected = continued();
    assertThat(expected).isNotEqualTo(former);
    int operations = operations();
    assertThat(operations).isGreaterThan(30);
    for (int cut = 1; cut <= operations; cut++) {
      FaultyDisk cutDisk = disk.afterPowerCut(new Random(cut)).cutPowerAt(cut);
      assertThatThrownBy(() -> backUp(cutDisk)).isInstanceOf(PowerCut.class);
      boolean isRenamed = numberOf(cutDisk.afterKill()) == 2; // perhaps not durably
      for (int seed = 0; seed < (isRenamed ? SEEDS_AFTER_RENAMING : SEEDS); seed++) {
        FaultyDisk after = cutDisk.afterPowerCut(new Random(seed));
        assertThat(verified(after)).as("cut at %s", cut).isIn(former, expected);
        if (seed == 0) {
          backUp(after);
          assertThat(verified(after)).as("repeated after %s", cut).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void formerOrNewBackupIsCompleteAfterAFailureOfAnyOperation() throws IOException {
    BackupManifest former = verified(disk);
    BackupManifest expected = continued();
    int operations = operations();
    for (int failing = 1; failing <= operations; failing++) {
      FaultyDisk failingDisk = disk.afterKill().failAt(failing);
      BackupManifest complete = former;
      try {
        backUp(failingDisk);
        complete = expected; // a file of the former backup could not be deleted
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("on purpose");
      }
      boolean isRenamed = numberOf(failingDisk) == 2;
      assertThat(verified(failingDisk))
          .as("%s has failed", failing)
          .isEqualTo(isRenamed ? expected : complete);
      backUp(failingDisk);
      assertThat(verified(failingDisk)).as("repeated after %s", failing).isEqualTo(expected);
    }
  }

  @Test
  void restoredFilesAreThoseOfTheBackupThatWasVerified() throws IOException {
    Map<String, String> former = restore(disk);
    BackupManifest verified = verified(disk);
    assertThat(former).containsEntry("relay.key", "secret").containsEntry("house.key", "another");
    assertThat(former).hasSize(verified.files().size() + 1); // the file format
    backUp(disk);
    assertThat(verified(disk)).isNotEqualTo(verified);
    assertThat(restore(disk)).isNotEqualTo(former);
  }

  @Test
  void diskThatDoesNotSyncLosesBackups() {
    for (SyncFault lie :
        new SyncFault[] {SyncFault.FILES_ARE_NOT_SYNCED, SyncFault.NAMES_ARE_NOT_SYNCED}) {
      assertThatThrownBy(
              () -> {
                for (int seed = 0; seed < 20; seed++) {
                  FaultyDisk lying = new FaultyDisk(lie);
                  backUp(lying);
                  verified(lying.afterPowerCut(new Random(seed)));
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void backupWithoutRoomIsRefusedBeforeItBeginsAndTheFormerOneKept() throws IOException {
    Map<String, String> former = restore(disk);
    disk.setUsableBytes(3 << 10);
    int names = disk.names().size();
    assertThatIOException()
        .isThrownBy(() -> backUp(disk))
        .withMessageMatching(
            "there is no room for the backup: it needs 1 MB more, and 1 MB are free");
    assertThat(disk.names()).hasSize(names);
    assertThat(restore(disk)).isEqualTo(former);
  }

  @Test
  void furtherBackupNeedsRoomForWhatIsNewOnly() throws IOException {
    backUp(disk);
    BackupManifest former = verified(disk);
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 24, 24);
    }
    disk.setUsableBytes(former.totalBytes() / 2);
    backUp(disk);
    disk.setUsableBytes(FILES.values().stream().mapToInt(it -> it.length).sum());
    backUp(disk);
    assertThat(numberOf(disk)).isEqualTo(4);
  }

  @Test
  void restoredFilesAreOnTheDiskBeforeTheyAreReported() throws IOException {
    Path data = SyncCheckingFiles.tracked(temp.resolve("new/data"));
    Directories.createPrivate(data);
    StoreRestore.run(disk, data, StoreProgress.NONE);
    assertThat(SyncCheckingFiles.faultsOf(data)).isEmpty();
  }

  @Test
  void backupOnAFullDiskKeepsTheFormerOneAndSucceedsWhenThereIsRoom() throws IOException {
    Map<String, String> former = restore(disk);
    disk.setMaxFileBytes(1_000);
    assertThatIOException().isThrownBy(() -> backUp(disk)).withMessage("no room on purpose");
    assertThat(restore(disk)).isEqualTo(former);
    disk.setMaxFileBytes(Long.MAX_VALUE);
    backUp(disk);
    assertThat(restore(disk)).isNotEqualTo(former);
  }

  @Test
  void restoreOntoAFullDiskIsRefusedAndLeavesNoStore() throws IOException {
    try (SmallFileSystem small = new SmallFileSystem(temp.resolve("small"), 1 << 20, 1 << 19)) {
      Path data = Files.createDirectory(temp.resolve("small/data"));
      Files.write(temp.resolve("small/more"), new byte[(1 << 19) - (16 << 10)]);
      assertThatIOException().isThrownBy(() -> StoreRestore.run(disk, data, StoreProgress.NONE));
      assertThat(data).isEmptyDirectory();
      small.makeRoom();
      StoreRestore.run(disk, data, StoreProgress.NONE);
      assertThat(data.resolve("store")).isDirectory();
    }
  }

  /** The end of the process, in a step of a restore. */
  private static final class Killed extends Error {}

  @Test
  void restoreThatWasKilledAtAnyStepHasNoStoreAndCanBeRepeated() throws IOException {
    Path model = Files.createDirectory(temp.resolve("model"));
    int[] steps = {0};
    StoreRestore.run(disk, model, (done, total) -> steps[0]++);
    assertThat(steps[0]).isGreaterThan(20);
    Map<String, String> expected = contentOf(model);
    for (int last = 1; last <= steps[0]; last++) {
      Path data = Files.createDirectory(temp.resolve("killed " + last));
      int[] left = {last};
      assertThatThrownBy(
              () ->
                  StoreRestore.run(
                      disk,
                      data,
                      (done, total) -> {
                        if (--left[0] == 0) {
                          throw new Killed();
                        }
                      }))
          .isInstanceOf(Killed.class);
      assertThat(data.resolve("store")).doesNotExist();
      if (contentOf(data).containsKey("relay.key")) {
        assertThat(data.resolve(StoreRestore.UNFINISHED_STORE)).isDirectory();
      }
      StoreRestore.run(disk, data, StoreProgress.NONE);
      assertThat(contentOf(data)).as("killed at step %s", last).isEqualTo(expected);
      StoreDirectory.delete(data);
    }
  }
}
