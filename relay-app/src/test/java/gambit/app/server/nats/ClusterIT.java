package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.tool.client.RecordingPlayer;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three relays that are one: real processes with a real NATS server, which all tests share. */
class ClusterIT {
  private static final Duration TAKEOVER = Duration.ofMinutes(2); // 5 s on a machine that is idle
  private static final Signer ALICE = Keys.of("alice");

  @TempDir static Path temp;
  private static RelayCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RelayCluster.start(temp, "relay.url=" + TestRelay.URL);
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Event note(String text) {
    return sign(ALICE, 1, text);
  }

  private static Event sign(Signer author, int kind, String text) {
    return author.sign(Instant.now().getEpochSecond(), kind, Tags.NONE, text);
  }

  private static RecordingPlayer player(int node) {
    return new RecordingPlayer(new RelayPlace(cluster.url(node), TestRelay.URL, null));
  }

  @Test
  void whatOneNodeAcceptsAllNodesServe() {
    Event event = note("to the second node");
    try (Client author = cluster.client(1)) {
      author.publishAccepted(event);
      assertThat(author.queryIds(byId(event))).as("at its own node").contains(event.id().hex());
    }
    for (int node : RelayCluster.all()) {
      try (Client reader = cluster.client(node)) {
        await().until(() -> reader.queryIds(byId(event)).contains(event.id().hex()));
      }
    }
  }

  private static String byId(Event event) {
    return "{\"ids\":[\"" + event.id().hex() + "\"]}";
  }

  @Test
  void subscribersOfAllNodesGetAnEventOfAnyNodeOnce() {
    Signer bob = Keys.of("bob"); // of whom the other tests have no events
    try (Client first = cluster.client(0);
        Client second = cluster.client(1);
        Client third = cluster.client(2)) {
      List<Client> readers = List.of(first, second, third);
      for (Client reader : readers) {
        reader.send("[\"REQ\",\"s\",{\"authors\":[\"" + bob.pubkey().hex() + "\"]}]");
        assertThat(reader.until("EOSE")).hasSize(1);
      }
      List<Event> sent = new ArrayList<>();
      for (Client author : readers) {
        try (Client other = cluster.client(readers.indexOf(author))) {
          sent.add(other.publishAccepted(sign(bob, 1, "from node " + readers.indexOf(author))));
        }
      }
      Event last = sign(bob, 20001, "ephemeral");
      for (Client reader : readers) {
        for (Event expected : sent) {
          assertThat(reader.next()).contains(expected.id().hex());
        }
      }
      try (Client author = cluster.client(2)) {
        author.publishAccepted(last);
      }
      for (Client reader : readers) {
        assertThat(reader.next()).as("nothing came twice before it").contains(last.id().hex());
      }
    }
  }

  @ThoroughOnly
  @Test
  void anotherNodeTakesOverFromAKilledLeaderSinceItHasNoConnection() throws IOException {
    int leader = cluster.leader();
    List<Integer> followers = cluster.followers();
    double before = takeovers(followers, "absence");
    double others = takeovers(followers, "handover") + takeovers(followers, "none");
    try (Client author = cluster.client(followers.get(0))) {
      Event first = author.publishAccepted(note("before"));
      cluster.kill(leader);
      Event second = note("after");
      await().atMost(TAKEOVER).until(() -> author.answerTo(second).matches("(duplicate: .*)?"));
      try (Client reader = cluster.client(followers.get(1))) {
        for (Event event : List.of(first, second)) {
          await().until(() -> reader.queryIds(byId(event)).contains(event.id().hex()));
        }
      }
    }
    assertThat(takeovers(followers, "absence")).isEqualTo(before + 1);
    assertThat(takeovers(followers, "handover") + takeovers(followers, "none")).isEqualTo(others);
    int next = cluster.leader();
    awaitInLog(
        next,
        "This node leads the cluster as epoch \\d+ from entry \\d+ on: the leader has"
            + " no connection; nobody has led for \\d+ ms, \\d+ entries were read"
            + " meanwhile, \\d+ requests of this node have waited");
    int other = followers.get(1 - followers.indexOf(next));
    awaitInLog(other, "Another node leads the cluster as epoch \\d+ from entry ");
    cluster.restart(leader);
  }

  private static void awaitInLog(int node, String pattern) {
    await()
        .untilAsserted(() -> assertThat(cluster.node(node).errorsSoFar()).containsPattern(pattern));
  }

  private static double takeovers(List<Integer> nodes, String cause) throws IOException {
    double sum = 0;
    for (int node : nodes) {
      sum += cluster.node(node).metric("gambit_cluster_takeovers_total{cause=\"" + cause + "\"}");
    }
    return sum;
  }

  @ThoroughOnly
  @Test
  void aNodeThatWasAwayHasWhatItMissedBeforeItListens() {
    int leader = cluster.leader();
    int away = cluster.followers().get(0);
    assertThat(cluster.node(away).terminate().exitStatus()).isZero();
    Event missed;
    try (Client author = cluster.client(leader)) {
      missed = author.publishAccepted(note("missed"));
    }
    cluster.start(away);
    try (Client reader = cluster.client(away)) {
      assertThat(reader.queryIds(byId(missed))).contains(missed.id().hex());
    }
  }

  @Test
  void aGameAcrossNodesGoesOnWhenTheLeaderIsKilled() {
    int leader = cluster.leader();
    List<Integer> followers = cluster.followers();
    try (RecordingPlayer alice = player(followers.get(0));
        RecordingPlayer bob = player(followers.get(1))) {
      RecordingPlayer.of(alice.client.search(TimeControl.parse("300+3").orElseThrow()));
      RecordingPlayer.of(bob.client.search(TimeControl.parse("300+3").orElseThrow()));
      boolean isAliceWhite = alice.awaitGame().terms().ours() == Side.WHITE;
      bob.awaitGame();
      List<RecordingPlayer> players = isAliceWhite ? List.of(alice, bob) : List.of(bob, alice);
      play(players, List.of("f2f3", "e7e5"), 0);
      cluster.kill(leader);
      play(players, List.of("g2g4", "d8h4"), 2);
      for (RecordingPlayer player : players) {
        player.awaitEnd();
        assertThat(player.game().ending().termination()).isEqualTo("checkmate");
        assertThat(player.began).as("it is the game that began").hasSize(1);
      }
    }
    cluster.restart(leader);
  }

  private static void play(List<RecordingPlayer> players, List<String> moves, int plies) {
    for (int i = 0; i < moves.size(); i++) {
      players.get((plies + i) % 2).awaitTurn(plies + i).move(moves.get(i));
      for (RecordingPlayer player : players) {
        player.awaitPlies(plies + i + 1);
      }
    }
  }
}
