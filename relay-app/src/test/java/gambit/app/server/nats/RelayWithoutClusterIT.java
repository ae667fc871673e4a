package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay without {@code cluster.servers} pays nothing for clusters. Needs no NATS server. */
class RelayWithoutClusterIT {
  @TempDir Path temp;

  @Test
  void relayOnItsOwnLoadsNoClassOfNatsAndStoresNothingOfAnyCluster() throws IOException {
    Path classes = temp.resolve("classes.txt");
    Path data = temp.resolve("data");
    try (GambitProcess relay =
        GambitProcess.relayWith(GambitProcess.quick("-Xlog:class+load:file=" + classes), data)) {
      try (Client client = new Client(relay.url())) {
        Event event =
            client.publishAccepted(
                Keys.of("alice").sign(Instant.now().getEpochSecond(), 1, Tags.NONE, "note"));
        assertThat(client.queryIds("{}")).contains(event.id().hex());
      }
      assertThat(relay.metrics().keySet()).noneMatch(it -> it.startsWith("gambit_cluster"));
      assertThat(relay.terminate().exitStatus()).isZero();
    }
    List<String> loaded = Files.readAllLines(classes);
    assertThat(loaded).anyMatch(it -> it.contains(" gambit.app.server.nats.ClusterSettings "));
    assertThat(loaded)
        .noneMatch(it -> it.contains(" io.nats."))
        .noneMatch(it -> it.contains(" gambit.app.server.nats.NatsConnection "))
        .noneMatch(it -> it.contains(" gambit.core.replication.EntryApplier "));
    try (DiskEventStore store =
        DiskEventStore.open(data.resolve("store"), InstantSource.system(), 0)) {
      assertThat(store.size()).isPositive();
      assertThat(store.rows("cluster")).isEmpty();
    }
  }
}
