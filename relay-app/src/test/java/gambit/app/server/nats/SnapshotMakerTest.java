package gambit.app.server.nats;

import static gambit.app.server.nats.TestCluster.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.store.Transaction;
import gambit.core.store.disk.BackupManifest;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.SnapshotSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** When a leader makes a snapshot, with one real server and a clock that is moved by hand. */
class SnapshotMakerTest {
  private static final Instant START = Instant.parse("2026-11-23T03:00:00Z");
  private static final Duration KEEP = Duration.ofHours(12);

  @RegisterExtension private static final OneNatsServer NATS = new OneNatsServer();

  @TempDir Path temp;
  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private NatsLog log;
  private NatsSnapshots snapshots;
  private DiskEventStore store;
  private NatsCluster.SnapshotMaker maker;

  @BeforeEach
  void open() throws Exception {
    log = new NatsLog(NATS.connection(), NATS.settings());
    log.create(1, "aa", "cc");
    snapshots = new NatsSnapshots(NATS.connection(), NATS.settings());
    Path directory = Files.createDirectories(temp.resolve("store"));
    store = DiskEventStore.open(directory, InstantSource.system(), 0);
    commit(3);
  }

  @AfterEach
  void close() {
    if (maker != null) {
      maker.close();
    }
    store.close();
    log.close();
  }

  /** Adds groups to the store and entries to the log. */
  private void commit(int groups) throws Exception {
    for (int i = 0; i < groups; i++) {
      append(log, store.logEnd().sequence(), 1);
      try (Transaction transaction = store.begin()) {
        byte[] key = Long.toString(store.logEnd().sequence()).getBytes(StandardCharsets.US_ASCII);
        transaction.putRow("test", key, new byte[1]);
        transaction.commit();
      }
    }
  }

  private void lead() {
    maker =
        new NatsCluster.SnapshotMaker(
            NATS.connection(),
            NATS.settings(KEEP),
            log,
            temp.resolve("store"),
            () -> true,
            now::get,
            TestCluster.FAILURES::add);
  }

  private Optional<Long> newest() throws IOException {
    return snapshots.newest().map(BackupManifest::sequence);
  }

  private void awaitSnapshot(long sequence) {
    await().atMost(Duration.ofMinutes(2)).until(() -> newest().equals(Optional.of(sequence)));
  }

  @Test
  void aLeaderMakesTheFirstSnapshotAtOnceAndTheNextAfterAQuarterOfTheTime() throws Exception {
    lead();
    awaitSnapshot(3);
    assertThat(snapshots.newest().orElseThrow().time()).isEqualTo(START);
    commit(2);
    now.set(START.plus(KEEP.dividedBy(4)));
    awaitSnapshot(5);
    BackupManifest list = snapshots.newest().orElseThrow();
    await()
        .untilAsserted(
            () ->
                assertThat(snapshots.files())
                    .as("the files of the first are gone")
                    .containsExactlyElementsOf(
                        list.files().stream().map(BackupManifest.Copy::sha256).toList()));
  }

  @Test
  void aSnapshotThatTheLogDoesNotContinueIsReplaced() throws Exception {
    lead();
    awaitSnapshot(3);
    commit(4);
    TestCluster.trim(NATS.connection(), NATS.settings().name());
    awaitSnapshot(7);
  }

  @Test
  void aSnapshotWithoutItsFilesIsMadeAgain() throws Exception {
    try (SnapshotSource source = SnapshotSource.open(temp.resolve("store"), null, START)) {
      snapshots.complete(source.list());
    }
    lead();
    await().atMost(Duration.ofMinutes(2)).until(() -> !snapshots.files().isEmpty());
    awaitSnapshot(3);
  }

  @Test
  void aSnapshotOfAnEarlierLogWithGreaterNumbersIsReplaced() throws Exception {
    byte[] content = new byte[10];
    String hash = NatsSnapshotsTest.hash(content);
    snapshots.putFile(hash, new ByteArrayInputStream(content));
    snapshots.complete(NatsSnapshotsTest.list(900, hash));
    lead();
    awaitSnapshot(3);
  }

  @Test
  void aNewerSnapshotOfAnotherLeaderIsNotReplaced() throws Exception {
    commit(1);
    try (SnapshotSource source = SnapshotSource.open(temp.resolve("store"), null, START)) {
      for (BackupManifest.Copy file : source.list().files()) {
        snapshots.putFile(file.sha256(), source.read(file));
      }
      snapshots.complete(source.list());
    }
    store.close();
    Path former = Files.createDirectories(temp.resolve("former"));
    store = DiskEventStore.open(former, InstantSource.system(), 0);
    now.set(START.plus(KEEP)); // so that one is due
    maker =
        new NatsCluster.SnapshotMaker(
            NATS.connection(),
            NATS.settings(KEEP),
            log,
            former,
            () -> true,
            now::get,
            TestCluster.FAILURES::add);
    await()
        .during(Duration.ofSeconds(4))
        .atMost(Duration.ofMinutes(2))
        .until(() -> newest().equals(Optional.of(4L)));
  }
}
