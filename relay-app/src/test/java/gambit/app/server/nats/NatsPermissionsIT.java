package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.CommandResult;
import gambit.app.GambitProcess;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The user of NATS that the operations page describes may do all that nodes do. A real server,
 * which logs what it denies.
 */
class NatsPermissionsIT {
  private static final Path PAGE = Path.of("../docs/operations/cluster.md");
  private static final Pattern USER = Pattern.compile("\\{ *user: node,.*?\n\\}", Pattern.DOTALL);
  private static final String STREAM = "gambit";

  /** So that a file of the snapshot is more than the servers send without flow control. */
  private static final int LARGE_NOTES = 60;

  @TempDir Path temp;

  private static String documentedUser() throws IOException {
    Matcher found = USER.matcher(Files.readString(PAGE));
    assertThat(found.find()).as("a user in %s", PAGE).isTrue();
    return found.group().replace("…", "secret");
  }

  private static NatsAccess user(String name) {
    return new NatsAccess(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        name,
        "secret",
        Optional.empty(),
        Optional.empty());
  }

  private List<String> settings(NatsServers servers) {
    return List.of(
        "--set",
        "cluster.servers=[\"" + servers.urls().get(0) + "\"]",
        "--set",
        "cluster.user=node",
        "--set",
        "cluster.password=secret");
  }

  private GambitProcess start(NatsServers servers, String name) throws IOException {
    return GambitProcess.relay(temp.resolve(name), settings(servers).toArray(String[]::new));
  }

  private static void publish(GambitProcess node, String content) {
    try (Client author = new Client(node.url())) {
      author.publishAccepted(
          Keys.of("alice").sign(Instant.now().getEpochSecond(), 1, Tags.NONE, content));
    }
  }

  /** Has the log begin after what the node has now, as if {@code cluster.keep} had passed. */
  private static void trim(NatsServers servers) throws Exception {
    ClusterSettings settings =
        TestCluster.settings(servers.urls(), STREAM, Duration.ofHours(12), user("operator"));
    try (NatsConnection connection = TestCluster.connect(settings)) {
      TestCluster.trim(connection, STREAM);
    }
  }

  @ThoroughOnly
  @Test
  void userWithTheDocumentedPermissionsIsEnoughForNodesTheirSnapshotsAndCommands()
      throws Exception {
    String users = documentedUser() + "\n{ user: operator, password: secret }";
    try (NatsServers servers =
            NatsServers.startWith("nats", "authorization { users: [\n" + users + "\n] }");
        GambitProcess first = start(servers, "a")) {
      String large = "x".repeat(60_000);
      for (int i = 0; i < LARGE_NOTES; i++) {
        publish(first, i + large);
      }
      await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(
              () -> {
                assertThat(denied(servers)).isEmpty();
                assertThat(first.errorsSoFar()).contains("Made a snapshot of entry ");
              });
      trim(servers);
      publish(first, "of the log without the former ones");
      Path data = Files.createDirectories(temp.resolve("b"));
      Files.copy(temp.resolve("a/relay.key"), data.resolve("relay.key"));
      try (GambitProcess second = start(servers, "b")) {
        assertThat(second.errorsSoFar()).contains("Fetched the snapshot of entry ");
        publish(second, "at the second node");
        try (Client reader = new Client(first.url())) {
          await().until(() -> reader.queryIds("{\"kinds\":[1]}").size() == LARGE_NOTES + 2);
        }
        assertStatusIsGood(servers);
        assertThat(second.errorsSoFar()).doesNotContain("The NATS server reports");
      }
      assertThat(first.errorsSoFar()).doesNotContain("The NATS server reports");
      assertThat(denied(servers)).isEmpty();
    }
  }

  /** The lines about what the server has denied. */
  private static List<String> denied(NatsServers servers) {
    return servers.server(0).log().lines().filter(it -> it.contains("Violation")).toList();
  }

  private void assertStatusIsGood(NatsServers servers) {
    List<String> arguments = new ArrayList<>(List.of("cluster", "status"));
    arguments.addAll(settings(servers));
    CommandResult status = CommandResult.of(arguments.toArray(String[]::new));
    assertThat(status.status()).as(status.errors()).isZero();
    assertThat(status.output()).contains("snapshot: entry ");
  }

  @Test
  void thatUserCannotReadWhatOthersPublish() throws Exception {
    String users = documentedUser() + "\n{ user: operator, password: secret }";
    try (NatsServers servers =
            NatsServers.startWith("nats", "authorization { users: [\n" + users + "\n] }");
        NatsConnection node =
            new NatsConnection(
                TestCluster.settings(servers.urls(), STREAM, Duration.ofHours(12), user("node")),
                failure -> {})) {
      node.library().subscribe("other.log");
      await()
          .untilAsserted(
              () ->
                  assertThat(denied(servers))
                      .anyMatch(
                          it -> it.contains("Subscription Violation") && it.contains("other.log")));
    }
  }
}
