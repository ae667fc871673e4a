package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.TestSettings;
import gambit.app.server.nats.NatsServers;
import gambit.core.store.Transaction;
import gambit.core.store.disk.BackupManifest;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.SnapshotSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gambit cluster}, without nodes that run. */
class ClusterCommandTest {
  @TempDir Path data;

  private CommandResult cluster(String command, String servers, String... more) {
    List<String> arguments = new ArrayList<>(List.of("cluster", command, "--data", "" + data));
    arguments.addAll(List.of("--set", "cluster.servers=" + servers));
    arguments.addAll(List.of(more));
    return CommandResult.of(arguments.toArray(String[]::new));
  }

  private static void assertFailed(CommandResult result, String sentence) {
    assertThat(result.errors()).startsWith(sentence);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output()).isEmpty();
  }

  /** Makes the store of a node with some groups, and its key. */
  private void fill(int groups) throws Exception {
    try (DiskEventStore store =
        DiskEventStore.open(
            Files.createDirectories(data.resolve("store")), InstantSource.system(), 0)) {
      for (int i = 0; i < groups; i++) {
        try (Transaction transaction = store.begin()) {
          transaction.putRow("cluster", bytes("id"), new byte[16]);
          transaction.commit();
        }
      }
    }
    Path key = Files.writeString(data.resolve("relay.key"), "01".repeat(32) + "\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
  }

  /** Puts a snapshot of that store into NATS. */
  private void putSnapshot(NatsServers nats) throws Exception {
    Path store = data.resolve("store");
    Instant now = Instant.parse("2026-11-26T03:00:00Z");
    try (ClusterCommand.Observer cluster = observer(nats);
        SnapshotSource source = SnapshotSource.open(store, null, now)) {
      for (BackupManifest.Copy file : source.list().files()) {
        cluster.snapshots().putFile(file.sha256(), source.read(file));
      }
      cluster.snapshots().complete(source.list());
    }
  }

  private static ClusterCommand.Observer observer(NatsServers nats) throws Exception {
    return new ClusterCommand.Observer(
        TestSettings.of(Map.of("cluster.servers", nats.urls().get(0))).cluster());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void aRelayWithoutAClusterHasNoStatusAndNothingToSeed() {
    for (String command : List.of("status", "seed")) {
      assertFailed(
          CommandResult.of("cluster", command, "--data", "" + data),
          "cluster.servers: it is not set, so this relay is not in a cluster.");
    }
  }

  @Test
  void serversThatCannotBeReachedAreNamed() throws Exception {
    fill(1);
    for (String command : List.of("status", "seed")) {
      assertFailed(
          cluster(command, "nats://127.0.0.1:9"),
          "cluster.servers: cannot connect to nats://127.0.0.1:9: ");
    }
  }

  @Test
  void theNewestEntryOfANodeIsPrintedWithoutNats() throws Exception {
    fill(7);
    for (CommandResult result :
        List.of(
            cluster("seed", "nats://127.0.0.1:9", "--check"),
            CommandResult.of("cluster", "seed", "--check", "--data", "" + data))) {
      assertThat(result.errors()).isEmpty();
      assertThat(result.output()).isEqualTo("Newest entry 7.");
    }
  }

  @Test
  void aDirectoryThatIsNotOfANodeIsNotSeeded() throws Exception {
    assertFailed(cluster("seed", "nats://127.0.0.1:9"), "--data: there is no store in " + data);
    Files.createDirectories(data.resolve("store"));
    assertFailed(
        cluster("seed", "nats://127.0.0.1:9"),
        "--data: this relay has never been in a cluster: start it, and it makes the log.");
  }

  @Test
  void anUnknownCommandIsWrongUsage() {
    CommandResult result = CommandResult.of("cluster", "sed");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.errors()).startsWith("Unknown command: sed; did you mean seed?");
  }

  @Test
  void theStatusOfServersThatLostTheLogSaysSoUntilItIsSeeded() throws Exception {
    fill(3);
    try (NatsServers nats = NatsServers.start(1)) {
      String url = nats.urls().get(0);
      putSnapshot(nats);
      assertFailed(cluster("status", url), "NATS has no log gambit: start the first node, or");
      assertThat(cluster("seed", url).output())
          .isEqualTo(
              "Made the log gambit, which begins with entry 4. Start this node first, then the"
                  + " others.");
      CommandResult seeded = cluster("status", url);
      assertThat(seeded.output().lines())
          .containsExactly("log gambit: no entries, the next is 4", "NATS: n1 leads, 1 replica");
      assertThat(seeded.errors().lines())
          .containsExactly("No node runs.", "There is no snapshot for new nodes yet.");
      putSnapshot(nats); // as if it had not been deleted
      assertThat(cluster("status", url).errors().lines()).containsExactly("No node runs.");
      assertThat(cluster("seed", url).output())
          .isEqualTo("The log gambit continues this node's copy already.");
      assertThat(cluster("status", url).errors()).contains("There is no snapshot");
      fill(1);
      putSnapshot(nats);
      assertThat(cluster("status", url).errors())
          .contains("The log does not continue the snapshot; the leader must make a new one.");
      assertFailed(
          cluster("seed", url),
          "Not seeded: the log gambit exists, without entries; the next is 4, and the newest of"
              + " this node is 4.");
    }
  }
}
