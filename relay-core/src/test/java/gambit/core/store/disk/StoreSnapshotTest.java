package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.disk.BackupManifest.Copy;
import gambit.core.store.disk.Workload.Content;
import gambit.core.testkit.SyncCheckingFiles;
import gambit.core.testkit.TestDirectories;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Snapshots of a store that is in use, and the stores that are made from them. */
class StoreSnapshotTest {
  private static final Instant NOW = Instant.parse("2026-11-23T03:00:00Z");
  private static final int GROUPS = 40;

  private final Path temp = TestDirectories.create();
  private final StoreDirectory source = new StoreDirectory(temp.resolve("source"), 0, null);
  private final Path joining = temp.resolve("joining");
  private @Nullable BackupManifest known;
  private final Map<String, byte[]> contents = new HashMap<>(); // as in an object store

  StoreSnapshotTest() throws IOException {
    Files.createDirectories(source.path());
  }

  @AfterEach
  void delete() throws IOException {
    StoreDirectory.delete(temp);
  }

  /** Copies what is new; returns the list after it was encoded and parsed. */
  private BackupManifest copy() throws IOException {
    try (SnapshotSource opened = SnapshotSource.open(source.path(), known, NOW)) {
      for (Copy file : opened.list().files()) {
        try (InputStream in = opened.read(file)) {
          contents.putIfAbsent(file.sha256(), in.readAllBytes());
        }
      }
      known = opened.list();
      return BackupManifest.parseSnapshot(known.encode());
    }
  }

  private void receive(SnapshotTarget target, List<Copy> files) throws IOException {
    for (Copy file : files) {
      target.receive(file, out -> out.write(contents.get(file.sha256())));
    }
  }

  private StoreDirectory made(BackupManifest list) throws IOException {
    SnapshotTarget target = new SnapshotTarget(joining, list);
    receive(target, target.missing());
    return new StoreDirectory(target.finish(), 0, null);
  }

  @Test
  void storeMadeFromASnapshotHasTheContentAndTheEndOfTheOpenOne() throws IOException {
    try (DiskEventStore store = source.open()) {
      Workload workload = new Workload();
      workload.run(store);
      BackupManifest list = copy();
      LogEnd end = store.logEnd();
      assertThat(list.sequence()).isEqualTo(end.sequence());
      assertThat(list.time()).isEqualTo(NOW);
      try (DiskEventStore made = made(list).open()) {
        assertThat(Content.of(made)).isEqualTo(workload.committed());
        assertThat(made.logEnd().sequence()).isEqualTo(end.sequence());
        assertThat(made.logEnd().offset()).isEqualTo(end.offset());
      }
    }
  }

  @Test
  void storeMadeFromASnapshotIsOnTheDiskBeforeItIsUsed() throws IOException {
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1, GROUPS);
      BackupManifest list = copy();
      Path tracked = SyncCheckingFiles.tracked(joining);
      SnapshotTarget target = new SnapshotTarget(tracked, list);
      receive(target, target.missing());
      target.finish();
      assertThat(SyncCheckingFiles.faultsOf(tracked)).isEmpty();
    }
  }

  @Test
  void snapshotOfAnEmptyStoreHasNoGroups() throws IOException {
    source.open().close();
    BackupManifest list = copy();
    assertThat(list.sequence()).isZero();
    try (DiskEventStore made = made(list).open()) {
      assertThat(made.logEnd().sequence()).isZero();
    }
  }

  @Test
  void furtherSnapshotSharesTheFilesThatAreSealed() throws IOException {
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1, GROUPS);
      BackupManifest first = copy();
      NumberedGroups.commit(store, GROUPS + 1, GROUPS + 1);
      BackupManifest second = copy();
      assertThat(second.files()).containsAll(first.files().subList(0, first.files().size() - 1));
      assertThat(second.sequence()).isEqualTo(store.logEnd().sequence());
      try (DiskEventStore made = made(second).open()) {
        assertThat(Content.of(made)).isEqualTo(Content.of(store));
      }
    }
  }

  @Test
  void erasedEventsAreInNoFileOfALaterSnapshot() throws IOException {
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1, 150);
      BackupManifest before = copy();
      StoreDirectory.reclaimAll(store, StoreWriterMain.FAR_FUTURE);
      BackupManifest after = copy();
      assertThat(after.files()).doesNotContain(before.files().get(0));
      assertThat(after.totalBytes()).isLessThan(before.totalBytes());
      try (DiskEventStore made = made(after).open()) {
        assertThat(Content.of(made)).isEqualTo(Content.of(store));
      }
    }
  }

  @Test
  void brokenDownloadContinuesWithTheFilesThatAreThere() throws IOException {
    BackupManifest first;
    BackupManifest second;
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1, GROUPS);
      first = copy();
      NumberedGroups.commit(store, GROUPS + 1, GROUPS + 1);
      second = copy();
    }
    SnapshotTarget broken = new SnapshotTarget(joining, first);
    receive(broken, first.files().subList(0, 2));
    Copy third = first.files().get(2);
    assertThatIOException()
        .isThrownBy(
            () ->
                broken.receive(
                    third,
                    out -> {
                      out.write(contents.get(third.sha256()), 0, 10);
                      throw new IOException("the connection is lost");
                    }));
    Files.writeString(joining.resolve("other"), "of an earlier attempt");
    SnapshotTarget next = new SnapshotTarget(joining, second);
    assertThat(next.missing()).isEqualTo(second.files().subList(2, second.files().size()));
    assertThat(joining.resolve("other")).doesNotExist();
    try (DiskEventStore made = made(second).open();
        DiskEventStore store = source.open()) {
      assertThat(Content.of(made)).isEqualTo(Content.of(store));
    }
  }

  @Test
  void fileThatIsNotThatOfTheListIsRefused() throws IOException {
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1, 1);
    }
    BackupManifest list = copy();
    SnapshotTarget target = new SnapshotTarget(joining, list);
    Copy file = list.files().get(0);
    byte[] content = contents.get(file.sha256());
    byte[] changed = content.clone();
    changed[changed.length - 1] ^= 1;
    for (byte[] wrong : List.of(changed, new byte[0])) {
      assertThatIOException()
          .isThrownBy(() -> target.receive(file, out -> out.write(wrong)))
          .withMessageMatching(".*is not that of the snapshot.*");
      assertThat(joining).isEmptyDirectory();
    }
    assertThatIOException()
        .isThrownBy(() -> target.receive(file, StoreSnapshotTest::writeWithoutEnd))
        .withMessage("the file is longer than the snapshot says");
    assertThat(joining).isEmptyDirectory();
  }

  private static void writeWithoutEnd(OutputStream out) throws IOException {
    while (true) {
      out.write(new byte[1_000]);
      out.write(0);
    }
  }

  @Test
  void damagedLogIsNotCopied() throws IOException {
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, 1, GROUPS);
    }
    LogFile.RecordLocation event = LogFile.all(source).get(0).events().get(0);
    event.flipBit(event.size() - 1);
    assertThatIOException()
        .isThrownBy(this::copy)
        .withMessageStartingWith("the event log is damaged: ");
  }

  @Test
  void listWithOtherFilesThanThoseOfALogIsRefused() throws IOException {
    source.open().close();
    BackupManifest list = copy();
    String file = "file 1 3 " + list.files().get(0).sha256() + " relay.key";
    Copy key = new Copy(false, 1, 3, list.files().get(0).sha256(), "relay.key");
    BackupManifest manifest =
        new BackupManifest(1, NOW, list.format(), 0, 1, List.of(list.files().get(0), key));
    byte[] encoded = manifest.encode();
    assertThat(new String(encoded, java.nio.charset.StandardCharsets.UTF_8)).contains(file);
    assertThatIOException()
        .isThrownBy(() -> BackupManifest.parseSnapshot(encoded))
        .withMessageContaining("other files");
  }
}
