package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.CommandResult;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.Tags;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.ThoroughOnly;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Decisions of operators at the nodes of a cluster: those made at one are in force at all. The
 * leader is a real process; the NATS server is real, too, and all tests share both.
 */
@ThoroughOnly
class ClusterManagementIT {
  private static final AtomicInteger NOTES = new AtomicInteger(); // no two are the same event

  @TempDir static Path temp;
  private static RelayCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        RelayCluster.startHere(
            temp,
            1,
            "relay.url=" + TestRelay.URL,
            "transport.proxies=[\"127.0.0.1\"]",
            "management.admins=[\"" + Nip19.npub(AdminCalls.ADMIN.pubkey()) + "\"]");
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Event note(Signer author) {
    return author.sign(Instant.now().getEpochSecond(), 1, Tags.NONE, "" + NOTES.incrementAndGet());
  }

  /** Runs a command of the operator at a node; returns its output. */
  private static String command(int node, String name, String... arguments) {
    String[] all = new String[arguments.length + 3];
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    all[0] = name;
    all[1] = "--data";
    all[2] = cluster.data(node).toString();
    CommandResult result = CommandResult.of(all);
    assertThat(result.errors()).isEmpty();
    assertThat(result.status()).isZero();
    return result.output();
  }

  @Test
  void banAtAFollowerIsInForceAtAllNodesWhenItIsReported() {
    Signer author = Keys.of("banned at a follower");
    String npub = Nip19.npub(author.pubkey());
    List<Client> clients = RelayCluster.all().stream().map(cluster::client).toList();
    try {
      for (Client client : clients) {
        client.publishAccepted(note(author));
      }
      int node = cluster.followers().get(0);
      command(node, "ban", npub, "--reason", "spam");
      for (Client client : clients) {
        assertThat(client.answerTo(note(author))).startsWith("blocked: ");
      }
      for (int each : RelayCluster.all()) {
        await("node " + each).until(() -> command(each, "bans").contains(npub));
      }
      command(cluster.followers().get(1), "unban", npub);
      for (Client client : clients) {
        await().until(() -> client.answerTo(note(author)).isEmpty());
      }
    } finally {
      clients.forEach(Client::close);
    }
  }

  @Test
  void banIsInForceAfterAChangeOfLeader() {
    Signer author = Keys.of("banned before a takeover");
    int leader = cluster.leader();
    command(cluster.followers().get(0), "ban", Nip19.npub(author.pubkey()));
    cluster.kill(leader);
    for (int node : cluster.followers()) {
      if (node != leader) {
        try (Client client = cluster.client(node)) {
          assertThat(client.answerTo(note(author))).startsWith("blocked: ");
        }
      }
    }
    try (Client client = cluster.client(cluster.leader())) {
      assertThat(client.answerTo(note(author))).startsWith("blocked: ");
      client.publishAccepted(note(Keys.of("somebody else")));
    }
    cluster.restart(leader);
    try (Client client = cluster.client(leader)) {
      assertThat(client.answerTo(note(author))).startsWith("blocked: ");
    }
  }

  @Test
  void eventBannedAtOneNodeIsGoneAtAllAndNotAcceptedAgain() {
    List<Integer> followers = cluster.followers();
    Event event;
    try (Client client = cluster.client(followers.get(0))) {
      event = client.publishAccepted(note(Keys.of("author of a banned event")));
    }
    command(followers.get(1), "ban", event.id().hex());
    String byId = "{\"ids\":[\"" + event.id().hex() + "\"]}";
    for (int node : RelayCluster.all()) {
      try (Client client = cluster.client(node)) {
        await("node " + node).until(() -> client.queryIds(byId).isEmpty());
        assertThat(client.answerTo(event)).as("node " + node).startsWith("blocked: ");
      }
    }
  }

  @Test
  void addressBlockedAtOneNodeIsDisconnectedFromAll() {
    List<Client> clients =
        RelayCluster.all().stream()
            .map(
                node -> new Client(cluster.url(node), Map.of("X-Forwarded-For", "203.0.113." + 77)))
            .toList();
    command(cluster.followers().get(0), "ban", "203.0.113.77");
    for (Client client : clients) {
      assertThat(client.awaitClose()).isEqualTo(1008);
    }
  }

  @Test
  void textsChangedAtOneNodeAreInTheInformationDocumentOfAll() {
    command(cluster.followers().get(0), "manage", "changerelayname", "Renamed at a follower");
    command(cluster.leader(), "manage", "changerelaydescription", "Described at the leader");
    for (int node : RelayCluster.all()) {
      await("node " + node)
          .until(
              () ->
                  Client.httpRequest("GET", cluster.httpUrl(node), "application/nostr+json").body(),
              document ->
                  document.contains("\"Renamed at a follower\"")
                      && document.contains("\"Described at the leader\""));
    }
  }

  @Test
  void auditLogIsTheSameAtAllNodesAndHasTheChangesOfEach() {
    for (int node : RelayCluster.all()) {
      command(node, "ban", Nip19.npub(Keys.of("audited at " + node).pubkey()));
    }
    for (int node : RelayCluster.all()) {
      await("node " + node)
          .until(
              () ->
                  RelayCluster.all().stream().map(it -> command(it, "audit")).distinct().count()
                      == 1);
      for (int other : RelayCluster.all()) {
        assertThat(command(node, "audit"))
            .contains(Nip19.npub(Keys.of("audited at " + other).pubkey()));
      }
    }
  }

  @Test
  void loginOfAChangeAtOneNodeCannotBeUsedAgainAtAnother() {
    String body = "{\"method\":\"banpubkey\",\"params\":[\"" + Keys.of("x").pubkey().hex() + "\"]}";
    long now = Instant.now().getEpochSecond();
    String login = AdminCalls.header(AdminCalls.login(now, TestRelay.URL, body));
    List<Integer> followers = cluster.followers();
    assertThat(post(followers.get(0), body, login).body()).contains("true");
    awaitInAudit(followers.get(1), Nip19.npub(Keys.of("x").pubkey()));
    for (int node : RelayCluster.all()) {
      assertThat(post(node, body, login).statusCode()).as("node " + node).isEqualTo(401);
    }
  }

  @Test
  void codeMadeAtOneNodeIsUsedOnceAtAnyOfThem() {
    List<Integer> followers = cluster.followers();
    String invite = command(followers.get(0), "manage", "createinvite", "1", "24", "");
    String code = Client.parse(invite).path("code").asText();
    Signer member = Keys.of("joins at a follower");
    try (Client client = cluster.client(followers.get(1))) {
      await().until(() -> command(cluster.leader(), "manage", "listinvites").contains(code));
      assertThat(client.answerTo(join(member, code))).isEqualTo("info: welcome");
      for (int node : RelayCluster.all()) {
        await("node " + node)
            .until(() -> command(node, "manage", "listmembers").contains(member.pubkey().hex()));
        try (Client other = cluster.client(node)) {
          assertThat(other.answerTo(join(Keys.of("comes late"), code)))
              .isEqualTo("restricted: this invite code was used up");
        }
      }
    }
  }

  @Test
  void inviteForARequestAtAnyNodeComesBeforeEose() {
    int node = cluster.followers().get(0);
    try (Client admin =
        cluster.client(node).login(Instant.now().getEpochSecond(), AdminCalls.ADMIN)) {
      admin.send("[\"REQ\",\"q\",{\"kinds\":[28935]}]");
      assertThat(admin.nextJson().at("/2/tags/1/0").asText()).isEqualTo("claim");
      assertThat(admin.next()).isEqualTo("[\"EOSE\",\"q\"]");
    }
  }

  private static Event join(Signer key, String code) {
    Tags claim = new Tags(List.of(List.of("claim", code)));
    return key.sign(Instant.now().getEpochSecond(), 28_934, claim, "" + NOTES.incrementAndGet());
  }

  private static HttpResponse<String> post(int node, String body, String login) {
    return AdminCalls.post(cluster.httpUrl(node), AdminCalls.MEDIA_TYPE, body, login);
  }

  private static void awaitInAudit(int node, String subject) {
    await().until(() -> command(node, "audit").contains(subject));
  }
}
