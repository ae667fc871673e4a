package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.server.metrics.OperatorFiles;
import gambit.app.server.plugin.PluginScript;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logins, private messages, counts, deletions and ephemeral events at the nodes of a cluster: they
 * are as at one relay. The leader is a real process; the NATS server is real, too, and all tests
 * share both.
 */
@ThoroughOnly
class ClusterBehaviourIT {
  private static final int GATED = 30_078;

  @TempDir static Path temp;
  private static RelayCluster cluster;

  private int nonce;

  @BeforeAll
  static void start() {
    cluster =
        RelayCluster.startHere(
            temp,
            1,
            "relay.url=" + TestRelay.URL,
            "reads.auth_kinds=[" + GATED + "]",
            "plugin.command=" + new PluginScript(temp, PluginScript.BY_CONTENT));
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the list is a copy
  private static Event sign(Signer author, int kind, String content, List<String>... tags) {
    return author.sign(now(), kind, new Tags(List.of(tags)), content);
  }

  private static String byId(Event event) {
    return "{\"ids\":[\"" + event.id().hex() + "\"]}";
  }

  private static boolean serves(Client client, Event event) {
    return !client.queryIds(byId(event)).isEmpty();
  }

  private static void awaitServed(int node, Event event) {
    try (Client reader = cluster.client(node)) {
      await("node " + node).until(() -> serves(reader, event));
    }
  }

  private static void awaitGone(int node, Event event) {
    try (Client reader = cluster.client(node)) {
      await("node " + node).until(() -> !serves(reader, event));
    }
  }

  @Test
  void eventOfAGatedKindIsServedAtEachNodeOnlyToClientsThatHaveLoggedInThere() {
    Signer author = Keys.of("gated author");
    Event event = sign(author, GATED, "gated", List.of("d", "x"));
    int writer = cluster.followers().get(0);
    try (Client client = cluster.client(writer)) {
      client.login(now(), author).publishAccepted(event);
      assertThat(serves(client, event)).isTrue();
    }
    for (int node : RelayCluster.all()) {
      try (Client stranger = cluster.client(node);
          Client reader = cluster.client(node)) {
        stranger.send("[\"REQ\",\"gated\",{\"kinds\":[" + GATED + "]}]");
        assertThat(stranger.nextJson().get(2).asText()).startsWith("auth-required: ");
        reader.login(now(), Keys.of("reader"));
        await("node " + node).until(() -> serves(reader, event));
      }
    }
  }

  @Test
  void eventThatOnlyTheLeaderKnowsToBeNoRequestToPlayIsShownToItsPlugin() {
    try (Client client = cluster.client(cluster.followers().get(0))) {
      Event bad = sign(Keys.of("stranger to chess"), 5_001, "bad");
      assertThat(client.answerTo(bad)).isEqualTo("blocked: a bad word");
      Event good = sign(Keys.of("stranger to chess"), 5_001, "good");
      client.publishAccepted(good);
      assertThat(serves(client, good)).isTrue();
    }
  }

  @Test
  void protectedEventIsAcceptedAtAFollowerOnlyFromItsAuthorWhoHasLoggedInThere() {
    Signer author = Keys.of("protected author");
    int node = cluster.followers().get(0);
    try (Client client = cluster.client(node);
        Client other = cluster.client(node)) {
      Event event = sign(author, 1, "protected", List.of("-"));
      assertThat(client.answerTo(event)).startsWith("auth-required: ");
      other.login(now(), Keys.of("somebody else"));
      assertThat(other.answerTo(event)).startsWith("restricted: ");
      client.login(now(), author).publishAccepted(event);
    }
  }

  @Test
  void chessEventWithoutARelayTagIsRefusedWhileItsAuthorIsLoggedInAtAnotherNode() {
    Signer player = Keys.of("player at one node");
    String refusal = "auth-required: another connection of this player is logged in";
    try (Client own = cluster.client(cluster.followers().get(0)).login(now(), player)) {
      for (int node : RelayCluster.all()) {
        try (Client forwarding = cluster.client(node)) {
          await("node " + node) // the leader learns of the login a moment later
              .until(
                  () ->
                      forwarding.answerTo(
                          sign(player, 5_000, "cancelsearch", List.of("nonce", "" + ++nonce))),
                  refusal::equals);
          Event named = sign(player, 5_000, "cancelsearch", List.of("relay", TestRelay.URL));
          assertThat(forwarding.answerTo(named)).doesNotStartWith("auth-required:");
        }
      }
      assertThat(own.answerTo(sign(player, 5_000, "cancelsearch"))).isEmpty();
    }
  }

  @Test
  void privateMessageIsDeliveredAndServedAtAllNodesToItsRecipientOnly() {
    Signer recipient = Keys.of("recipient");
    List<Client> readers = new ArrayList<>();
    List<Client> strangers = new ArrayList<>();
    try (Client author = cluster.client(cluster.followers().get(0))) {
      String filter = "{\"kinds\":[1059],\"#p\":[\"" + recipient.pubkey().hex() + "\"]}";
      for (int node : RelayCluster.all()) {
        readers.add(cluster.client(node).login(now(), recipient));
        strangers.add(cluster.client(node).login(now(), Keys.of("stranger")));
      }
      for (Client reader : readers) {
        reader.send("[\"REQ\",\"inbox\"," + filter + "]");
        assertThat(reader.until("EOSE")).hasSize(1);
      }
      Event wrap =
          author.publishAccepted(
              sign(Signer.random(), 1059, "sealed", List.of("p", recipient.pubkey().hex())));
      for (Client reader : readers) {
        assertThat(reader.nextJson().get(2).get("id").asText()).isEqualTo(wrap.id().hex());
      }
      for (Client stranger : strangers) {
        stranger.send("[\"REQ\",\"inbox\"," + byId(wrap) + "]");
        assertThat(stranger.until("EOSE")).as("nothing but EOSE").hasSize(1);
      }
    } finally {
      readers.forEach(Client::close);
      strangers.forEach(Client::close);
    }
  }

  @Test
  void eventsOfAllNodesAreCountedAtEachNode() {
    Signer author = Keys.of("counted author");
    for (int node : RelayCluster.all()) {
      try (Client client = cluster.client(node)) {
        client.publishAccepted(sign(author, 1, "from node " + node));
      }
    }
    String filter = "{\"authors\":[\"" + author.pubkey().hex() + "\"]}";
    for (int node : RelayCluster.all()) {
      try (Client client = cluster.client(node)) {
        await("node " + node).until(() -> count(client, filter) == RelayCluster.NODES);
      }
    }
  }

  private static int count(Client client, String filter) {
    client.send("[\"COUNT\",\"count\"," + filter + "]");
    JsonNode answer = client.nextJson();
    assertThat(answer.get(0).asText()).isEqualTo("COUNT");
    return answer.get(2).get("count").asInt();
  }

  @Test
  void deletionAtOneNodeHidesTheEventAtAllAndItIsNotAcceptedAgain() {
    Signer author = Keys.of("deleting author");
    Event event = sign(author, 1, "to be deleted");
    List<Integer> followers = cluster.followers();
    try (Client client = cluster.client(followers.get(0))) {
      client.publishAccepted(event);
    }
    RelayCluster.all().forEach(node -> awaitServed(node, event));
    try (Client client = cluster.client(followers.get(1))) {
      client.publishAccepted(sign(author, 5, "", List.of("e", event.id().hex())));
      assertThat(serves(client, event)).as("after the deletion's OK").isFalse();
    }
    for (int node : RelayCluster.all()) {
      awaitGone(node, event);
      try (Client client = cluster.client(node)) {
        assertThat(client.answerTo(event)).as("node " + node).startsWith("blocked: ");
      }
    }
  }

  @Test
  void requestToVanishAtOneNodeRemovesItsAuthorsEventsFromAll() {
    Signer author = Keys.of("vanishing author");
    List<Event> events = new ArrayList<>();
    for (int node : RelayCluster.all()) {
      try (Client client = cluster.client(node)) {
        events.add(client.publishAccepted(sign(author, 1, "from node " + node)));
      }
    }
    int follower = cluster.followers().get(0);
    events.forEach(event -> awaitServed(follower, event));
    try (Client client = cluster.client(follower)) {
      client.publishAccepted(sign(author, 62, "", List.of("relay", "ALL_RELAYS")));
      events.forEach(event -> assertThat(serves(client, event)).isFalse());
    }
    for (int node : RelayCluster.all()) {
      events.forEach(event -> awaitGone(node, event));
      try (Client client = cluster.client(node)) {
        assertThat(client.answerTo(events.get(0))).as("node " + node).startsWith("blocked: ");
      }
    }
  }

  @Test
  void eventIsServedAtNoNodeOnceItHasExpired() {
    Signer author = Keys.of("expiring author");
    Event event;
    long expiry;
    try (Client client = cluster.client(cluster.followers().get(0))) {
      expiry = now() + 10; // later than any machine needs to store it
      event = sign(author, 1, "for now", List.of("expiration", "" + expiry));
      client.publishAccepted(event);
      assertThat(serves(client, event) || now() >= expiry).isTrue();
    }
    RelayCluster.all().forEach(node -> awaitGone(node, event));
    assertThat(now()).as("it was gone no earlier").isGreaterThanOrEqualTo(expiry);
  }

  @Test
  void ephemeralEventsReachTheSubscribersOfAllNodesOnce() {
    Signer author = Keys.of("ephemeral author");
    List<Client> readers = RelayCluster.all().stream().map(cluster::client).toList();
    try {
      for (Client reader : readers) {
        reader.send("[\"REQ\",\"s\",{\"authors\":[\"" + author.pubkey().hex() + "\"]}]");
        assertThat(reader.until("EOSE")).hasSize(1);
      }
      for (int node : RelayCluster.all()) {
        Event event = sign(author, 20_001, "from node " + node);
        try (Client client = cluster.client(node)) {
          client.publishAccepted(event);
        }
        for (Client reader : readers) {
          assertThat(reader.nextJson().get(2).get("id").asText()).isEqualTo(event.id().hex());
        }
      }
    } finally {
      readers.forEach(Client::close);
    }
  }

  @Test
  void metricsOfTheClusterAreThoseOfTheTable() throws IOException {
    int follower = cluster.followers().get(0);
    try (Client client = cluster.client(follower)) {
      client.publishAccepted(sign(Keys.of("measured author"), 1, "forwarded"));
    }
    Map<String, Double> metrics = cluster.metrics(follower);
    Set<String> names =
        metrics.keySet().stream()
            .filter(name -> name.startsWith("gambit_cluster_"))
            .map(name -> name.replaceFirst("\\{.*", "").replaceFirst("_(bucket|sum|count)$", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(names)
        .isEqualTo(
            OperatorFiles.metrics().keySet().stream()
                .filter(name -> name.startsWith("gambit_cluster_"))
                .collect(Collectors.toCollection(TreeSet::new)));
    assertThat(metrics.get("gambit_cluster_verdict_seconds_count")).isPositive();
    assertThat(metrics)
        .containsEntry("gambit_cluster_connected", 1.0)
        .containsEntry("gambit_cluster_log_replicas", 1.0)
        .containsEntry("gambit_cluster_log_replicas_wanted", 1.0)
        .containsEntry("gambit_cluster_leads", 0.0);
    assertThat(cluster.metrics(0))
        .containsEntry("gambit_cluster_takeovers_total{cause=\"none\"}", 1.0);
    assertThat(cluster.node(0).errorsSoFar())
        .containsPattern("This node leads the cluster as epoch 1 from entry \\d+ on: there is no");
  }
}
