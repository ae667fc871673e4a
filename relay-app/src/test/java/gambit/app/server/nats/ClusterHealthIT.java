package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.CommandResult;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that loses NATS, whose leader is stopped, or whose disks are full. The leader's silence
 * is never the reason of a takeover here. Real processes, which all tests share.
 */
@ThoroughOnly
class ClusterHealthIT {
  private static final String MORE_THAN_ANY_DISK = "1000T";

  @TempDir static Path temp;
  private static RelayCluster cluster;
  private static int notes;

  @BeforeAll
  static void start() {
    cluster = RelayCluster.start(temp, "cluster.max_staleness=15s", "cluster.takeover_after=1m");
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Event note() {
    return Keys.of("alice").sign(Instant.now().getEpochSecond(), 1, Tags.NONE, "note " + notes++);
  }

  private static void awaitReadiness(int status) {
    for (int node : RelayCluster.all()) {
      await("node " + node)
          .atMost(RelayCluster.LONG)
          .ignoreExceptionsInstanceOf(IOException.class) // of one that starts anew
          .until(() -> cluster.readiness(node) == status);
    }
  }

  /** The status of the answer to an upgrade to a WebSocket; 101 if it is accepted. */
  private static int upgrade(int node) {
    try {
      HttpClient.newHttpClient()
          .newWebSocketBuilder()
          .buildAsync(cluster.url(node), new WebSocket.Listener() {})
          .join()
          .abort();
      return 101;
    } catch (CompletionException e) {
      if (e.getCause() instanceof WebSocketHandshakeException refused) {
        return refused.getResponse().statusCode();
      }
      throw e;
    }
  }

  @Test
  void nodesThatHaveLostNatsRefuseEventsThenSendTheirClientsAwayAndServeThemAgainAfterwards()
      throws IOException {
    List<Client> clients = RelayCluster.all().stream().map(cluster::client).toList();
    try (Client waiting = cluster.client(cluster.leader())) {
      awaitReadiness(200);
      clients.forEach(it -> it.publishAccepted(note()));
      cluster.nats().server(0).suspend();
      waiting.publishWithoutWaiting(note()); // for which the leader's writer waits
      awaitReadiness(503);
      for (Client client : clients) {
        assertThat(client.answerTo(note())).as("before its end").startsWith("error: this relay");
      }
      for (Client client : clients) {
        assertThat(client.awaitClose()).isEqualTo(1013);
      }
      for (int node : RelayCluster.all()) {
        assertThat(cluster.liveness(node)).as("a restart of %s does not help", node).isEqualTo(200);
        assertThat(upgrade(node)).as("node " + node).isEqualTo(503);
        assertThat(
                Client.httpRequest("GET", cluster.httpUrl(node), "application/nostr+json").body())
            .contains("\"supported_nips\"");
      }
    } finally {
      cluster.nats().server(0).resume();
      clients.forEach(Client::close);
    }
    awaitReadiness(200);
    Event event = note();
    for (int node : RelayCluster.all()) {
      await()
          .atMost(RelayCluster.LONG)
          .ignoreExceptions() // the former leader starts anew when it learns that another one leads
          .untilAsserted(
              () -> {
                try (Client client = cluster.client(node)) {
                  assertThat(client.answerTo(event)).matches("(dup.*)?");
                }
              });
    }
  }

  @Test
  void leaderThatIsStoppedHandsOver() throws IOException {
    int leader = cluster.leader();
    List<Integer> followers = cluster.followers();
    try (Client author = cluster.client(followers.get(0))) {
      author.publishAccepted(note());
      assertThat(cluster.node(leader).terminate().exitStatus()).isZero();
      author.publishAccepted(note());
    }
    int next = cluster.leader();
    assertThat(followers).contains(next);
    assertThat(cluster.node(next).metrics())
        .containsEntry("gambit_cluster_takeovers_total{cause=\"handover\"}", 1.0)
        .containsEntry("gambit_cluster_takeovers_total{cause=\"silence\"}", 0.0);
    assertThat(cluster.node(next).errorsSoFar())
        .containsPattern(
            "This node leads the cluster as epoch \\d+ from entry \\d+ on: the leader has handed"
                + " over; nobody has led for \\d+ ms, \\d+ entries were read meanwhile, \\d+"
                + " requests of this node have waited");
    cluster.restart(leader);
  }

  /** Reserves so many bytes of a node's disk, or none, as if others had filled it. */
  private static void reserve(int node, String minFree) throws IOException {
    Path data = cluster.data(node);
    Files.writeString(data.resolve("gambit.conf"), "store.min_free = " + minFree + "\n");
    CommandResult reload = CommandResult.of("reload", "--data", "" + data);
    assertThat(reload.status()).as(reload.errors()).isZero();
  }

  @Test
  void leaderWithoutRoomRefusesTheEventsOfAllNodesUntilAnotherOneLeads() throws IOException {
    int leader = cluster.leader();
    List<Integer> followers = cluster.followers();
    reserve(leader, MORE_THAN_ANY_DISK);
    try (Client author = cluster.client(followers.get(0))) {
      assertThat(author.answerTo(note())).isEqualTo("error: store is full");
      assertThat(cluster.readiness(leader)).isEqualTo(503);
      assertThat(cluster.leader()).isEqualTo(leader);
      assertThat(cluster.node(leader).terminate().exitStatus()).isZero();
      author.publishAccepted(note());
    }
    assertThat(followers).contains(cluster.leader());
    Files.delete(cluster.data(leader).resolve("gambit.conf"));
    cluster.restart(leader);
  }

  @Test
  void followerWithoutRoomIsNotReadyAndFollows() throws IOException {
    int leader = cluster.leader();
    int follower = cluster.followers().get(0);
    reserve(follower, MORE_THAN_ANY_DISK);
    assertThat(cluster.readiness(follower)).isEqualTo(503);
    try (Client author = cluster.client(leader);
        Client reader = cluster.client(follower)) {
      Event note = author.publishAccepted(note());
      await().until(() -> reader.queryIds("{\"ids\":[\"" + note.id().hex() + "\"]}").size() == 1);
    }
    reserve(follower, "0");
    assertThat(cluster.readiness(follower)).isEqualTo(200);
  }
}
