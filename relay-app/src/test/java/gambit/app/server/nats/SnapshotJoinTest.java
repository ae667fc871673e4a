package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.common.CommandFailure;
import gambit.app.server.data.DataDirectory;
import gambit.core.model.PubKey;
import gambit.core.store.Transaction;
import gambit.core.store.disk.BackupManifest;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.SnapshotSource;
import gambit.core.testkit.Keys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A store that is replaced by a snapshot of one real server, or not. */
class SnapshotJoinTest {
  private static final Instant NOW = Instant.parse("2026-11-23T03:00:00Z");
  private static final byte[] ID = new byte[16];
  private static final PubKey KEY = Keys.of("relay").pubkey();
  private static final long LAST = 12;

  @RegisterExtension private static final OneNatsServer NATS = new OneNatsServer();

  @TempDir Path temp;
  private NatsLog log;
  private NatsSnapshots snapshots;

  @BeforeEach
  void open() throws Exception {
    log = new NatsLog(NATS.connection(), NATS.settings());
    log.create(LAST + 1, HexFormat.of().formatHex(ID), KEY.hex());
    snapshots = new NatsSnapshots(NATS.connection(), NATS.settings());
  }

  @AfterEach
  void close() {
    log.close();
  }

  /** Adds groups to a store; the first says of which cluster it is. */
  private static void fill(DiskEventStore store, long groups) throws Exception {
    for (long i = 0; i < groups; i++) {
      try (Transaction transaction = store.begin()) {
        transaction.putRow("cluster", "id".getBytes(StandardCharsets.US_ASCII), ID);
        transaction.commit();
      }
    }
  }

  private DiskEventStore open(Path directory) throws Exception {
    return DiskEventStore.open(Files.createDirectories(directory), InstantSource.system(), 0);
  }

  /** Puts a snapshot with {@link #LAST} groups, perhaps without its files. */
  private void putSnapshot(boolean isComplete) throws Exception {
    Path source = temp.resolve("source");
    try (DiskEventStore store = open(source)) {
      fill(store, LAST - store.logEnd().sequence());
    }
    try (SnapshotSource opened = SnapshotSource.open(source, null, NOW)) {
      for (BackupManifest.Copy file : opened.list().files()) {
        if (isComplete) {
          snapshots.putFile(file.sha256(), opened.read(file));
        }
      }
      snapshots.complete(opened.list());
    }
  }

  private boolean isBehind(DiskEventStore store, Optional<PubKey> key) throws Exception {
    try (SnapshotJoin join = new SnapshotJoin(NATS.settings())) {
      return join.isBehind(store, key);
    }
  }

  private void replaceStore(DataDirectory directory, long minFreeBytes) throws Exception {
    try (SnapshotJoin join = new SnapshotJoin(NATS.settings(), Duration.ofSeconds(1))) {
      join.replaceStore(directory, minFreeBytes);
    }
  }

  @Test
  void aStoreIsBehindWhenTheLogLacksTheEntryAfterIts() throws Exception {
    Optional<PubKey> key = Optional.of(KEY);
    try (DiskEventStore store = open(temp.resolve("store"))) {
      assertThat(isBehind(store, key)).as("empty").isTrue();
      fill(store, LAST - 1);
      assertThat(isBehind(store, key)).as("one entry is missing").isTrue();
      fill(store, 1);
      assertThat(isBehind(store, key)).as("the log continues it").isFalse();
    }
  }

  @Test
  void aNodeMustHaveTheKeyOfTheCluster() throws Exception {
    try (DiskEventStore store = open(temp.resolve("store"))) {
      assertThatThrownBy(() -> isBehind(store, Optional.empty()))
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("there is no relay.key");
      assertThatThrownBy(() -> isBehind(store, Optional.of(Keys.of("other").pubkey())))
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("relay.key is not that of the cluster")
          .hasMessageContaining(KEY.hex());
    }
  }

  @Test
  void aSnapshotReplacesTheStoreAndWhatWasMadeFromIt() throws Exception {
    putSnapshot(true);
    Path data = temp.resolve("data");
    try (DataDirectory directory = new DataDirectory(data)) {
      try (DiskEventStore store = directory.openStore(0)) {
        fill(store, 2);
      }
      Files.createDirectories(data.resolve("search"));
      Files.writeString(data.resolve("search").resolve("segment"), "of the former store");
      Files.writeString(data.resolve("relay.key"), "a key");
      replaceStore(directory, 0);
      try (DiskEventStore store = directory.openStore(0)) {
        assertThat(store.logEnd().sequence()).isEqualTo(LAST);
      }
    }
    assertThat(data.resolve("search")).doesNotExist();
    assertThat(data.resolve("joining")).doesNotExist();
    assertThat(data.resolve("relay.key")).hasContent("a key");
  }

  @Test
  void aSnapshotOfANewerFormatIsRefusedBeforeItIsFetched() throws Exception {
    snapshots.complete(NatsSnapshotsTest.listOfFormat(3, LAST, "ab".repeat(32)));
    try (DataDirectory directory = new DataDirectory(temp.resolve("data"))) {
      assertThatThrownBy(() -> replaceStore(directory, 0))
          .isInstanceOf(CommandFailure.class)
          .hasMessageStartingWith(
              "--data: the snapshot of the cluster cannot be used: the store has format 3, of a"
                  + " newer version of Gambit;");
    }
  }

  @Test
  void aSnapshotThatCannotBeFetchedLeavesTheStoreAsItIsUntilItCan() throws Exception {
    putSnapshot(false);
    try (DataDirectory directory = new DataDirectory(temp.resolve("data"))) {
      try (DiskEventStore store = directory.openStore(0)) {
        fill(store, 2);
      }
      assertThatThrownBy(() -> replaceStore(directory, 0))
          .isInstanceOf(CommandFailure.class)
          .hasMessageStartingWith(
              "--data: the snapshot of entry " + LAST + " could not be fetched: ");
      try (DiskEventStore store = directory.openStore(0)) {
        assertThat(store.logEnd().sequence()).isEqualTo(2);
      }
      putSnapshot(true);
      assertThatThrownBy(() -> replaceStore(directory, Long.MAX_VALUE / 2))
          .isInstanceOf(CommandFailure.class)
          .hasMessageStartingWith("--data: there is no room for the snapshot of the cluster");
      replaceStore(directory, 0);
      try (DiskEventStore store = directory.openStore(0)) {
        assertThat(store.logEnd().sequence()).isEqualTo(LAST);
      }
    }
  }
}
