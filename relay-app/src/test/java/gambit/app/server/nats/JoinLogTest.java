package gambit.app.server.nats;

import static gambit.app.server.nats.TestCluster.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.app.common.CommandFailure;
import gambit.core.model.PubKey;
import gambit.core.store.Transaction;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Which stores become nodes of which cluster, with one real server. */
class JoinLogTest {
  private static final byte[] ID = new byte[16];
  private static final String CLUSTER_ID = HexFormat.of().formatHex(ID);
  private static final PubKey KEY = Keys.of("relay").pubkey();
  @RegisterExtension private static final OneNatsServer NATS = new OneNatsServer();

  @TempDir Path temp;
  private NatsLog log;
  private NatsSnapshots snapshots;
  private DiskEventStore store;

  @BeforeEach
  void open() throws Exception {
    log = new NatsLog(NATS.connection(), NATS.settings());
    snapshots = new NatsSnapshots(NATS.connection(), NATS.settings());
    Path directory = Files.createDirectories(temp.resolve("store"));
    store = DiskEventStore.open(directory, InstantSource.system(), 0);
  }

  @AfterEach
  void close() {
    store.close();
    log.close();
  }

  /** Adds groups to the store, the first of which makes it one of the cluster. */
  private void commit(int groups, String row) throws Exception {
    for (int i = 0; i < groups; i++) {
      try (Transaction transaction = store.begin()) {
        transaction.putRow("cluster", row.getBytes(StandardCharsets.US_ASCII), ID);
        transaction.commit();
      }
    }
  }

  private void putSnapshot() throws Exception {
    try (SnapshotSource source = SnapshotSource.open(temp.resolve("store"), null, Instant.EPOCH)) {
      snapshots.complete(source.list());
    }
  }

  private void join() throws CommandFailure {
    NatsCluster.connect(NATS.settings(), store, KEY, cause -> {}, failure -> {}).close();
  }

  private void assertRefused(String... phrases) {
    assertThatThrownBy(this::join).isInstanceOf(CommandFailure.class).message().contains(phrases);
  }

  @Test
  void aSingleRelayMakesALogThatContinuesItsStore() throws Exception {
    commit(3, "other");
    join();
    assertThat(log.open().orElseThrow().range().first()).isEqualTo(4);
    assertThat(log.open().orElseThrow().relayKey()).isEqualTo(KEY.hex());
  }

  @Test
  void aNodeOfALostLogDoesNotMakeOne() throws Exception {
    commit(3, "id");
    assertRefused("do not have the log", "gambit cluster seed");
    assertThat(log.open()).isEmpty();
  }

  @Test
  void aSnapshotWithoutALogIsOfALostLogAndKept() throws Exception {
    commit(1, "other");
    putSnapshot();
    assertRefused(
        "have a snapshot of a cluster",
        "`gambit cluster seed` makes a new one",
        "nats stream rm OBJ_" + NATS.settings().name() + "-snapshots");
    assertThat(log.open()).isEmpty();
    assertThat(snapshots.newest()).isPresent();
    snapshots.deleteAll();
    join();
    assertThat(log.open()).isPresent();
  }

  @Test
  void aLogOfAnotherRelaysKeyIsNotJoined() throws Exception {
    log.create(1, CLUSTER_ID, Keys.of("other").pubkey().hex());
    assertRefused("relay.key is not that of the cluster", Keys.of("other").pubkey().hex());
  }

  @Test
  void aStoreThatIsAheadOfTheLogIsRefusedWithBothCauses() throws Exception {
    log.create(1, CLUSTER_ID, KEY.hex());
    append(log, 0, 2);
    commit(3, "id");
    assertRefused(
        "it ends with entry 3, and the log with 2",
        "NATS has lost entries",
        "was used without the cluster",
        "`gambit cluster seed --check` on all nodes before you delete anything");
  }

  @Test
  void aLogThatKnowsItsNewestEntryOnlyLaterIsWaitedFor() throws Exception {
    log.create(1, CLUSTER_ID, KEY.hex());
    append(log, 0, 2);
    commit(3, "id");
    CompletableFuture<?> joining =
        CompletableFuture.runAsync(
            () -> {
              try {
                join();
              } catch (CommandFailure e) {
                throw new CompletionException(e);
              }
            });
    await().during(Duration.ofSeconds(1)).until(() -> !joining.isDone());
    append(log, 2, 1);
    joining.join();
  }
}
