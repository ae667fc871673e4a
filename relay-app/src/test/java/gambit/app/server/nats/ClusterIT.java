package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three relays that are one: real processes with a real NATS server. */
class ClusterIT {
  private static final Duration TAKEOVER = Duration.ofSeconds(30); // 5 s on a machine that is idle
  private static final Signer ALICE = Keys.of("alice");

  @TempDir Path temp;
  private NatsServers nats;
  private final List<GambitProcess> nodes = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    nats = NatsServers.start(1);
    node("a");
    for (String name : List.of("b", "c")) {
      Path data = Files.createDirectories(temp.resolve(name));
      Files.copy(temp.resolve("a").resolve("relay.key"), data.resolve("relay.key"));
      node(name);
    }
  }

  private GambitProcess node(String name) throws IOException {
    GambitProcess node =
        GambitProcess.relay(
            temp.resolve(name),
            "--set",
            "cluster.servers=[\"" + nats.urls().get(0) + "\"]",
            "--url",
            TestRelay.URL);
    nodes.add(node);
    return node;
  }

  @AfterEach
  void end() {
    nodes.forEach(GambitProcess::close);
    if (nats != null) {
      nats.close();
    }
  }

  private static Event note(String text) {
    return ALICE.sign(Instant.now().getEpochSecond(), 1, Tags.NONE, text);
  }

  private Client client(int node) {
    return new Client(nodes.get(node).url());
  }

  private RecordingPlayer player(int node) {
    return new RecordingPlayer(new RelayPlace(nodes.get(node).url(), TestRelay.URL, null));
  }

  @Test
  void whatOneNodeAcceptsAllNodesServe() {
    Event event = note("to the second node");
    try (Client author = client(1)) {
      author.publishAccepted(event);
      assertThat(author.queryIds(byId(event))).as("at its own node").contains(event.id().hex());
    }
    for (int i = 0; i < nodes.size(); i++) {
      int node = i;
      try (Client reader = client(node)) {
        await().until(() -> reader.queryIds(byId(event)).contains(event.id().hex()));
      }
    }
  }

  private static String byId(Event event) {
    return "{\"ids\":[\"" + event.id().hex() + "\"]}";
  }

  @ThoroughOnly
  @Test
  void subscribersOfAllNodesGetAnEventOfAnyNodeOnce() {
    try (Client first = client(0);
        Client second = client(1);
        Client third = client(2)) {
      List<Client> readers = List.of(first, second, third);
      for (Client reader : readers) {
        reader.send("[\"REQ\",\"s\",{\"kinds\":[1,20001]}]");
        assertThat(reader.until("EOSE")).hasSize(1);
      }
      List<Event> sent = new ArrayList<>();
      for (Client author : readers) {
        try (Client other = new Client(nodes.get(readers.indexOf(author)).url())) {
          sent.add(other.publishAccepted(note("from node " + readers.indexOf(author))));
        }
      }
      Event last = ALICE.sign(Instant.now().getEpochSecond(), 20001, Tags.NONE, "ephemeral");
      for (Client reader : readers) {
        for (Event expected : sent) {
          assertThat(reader.next()).contains(expected.id().hex());
        }
      }
      try (Client author = client(2)) {
        author.publishAccepted(last);
      }
      for (Client reader : readers) {
        assertThat(reader.next()).as("nothing came twice before it").contains(last.id().hex());
      }
    }
  }

  @Test
  void anotherNodeTakesOverFromAKilledLeaderSinceItIsSilent() throws IOException {
    try (Client author = client(1)) {
      Event before = author.publishAccepted(note("before"));
      nodes.get(0).kill();
      Event after = note("after");
      await().atMost(TAKEOVER).until(() -> author.answerTo(after).matches("(duplicate: .*)?"));
      try (Client reader = client(2)) {
        for (Event event : List.of(before, after)) {
          await().until(() -> reader.queryIds(byId(event)).contains(event.id().hex()));
        }
      }
    }
    List<GambitProcess> left = nodes.subList(1, nodes.size());
    assertThat(takeovers(left, "silence")).isEqualTo(1);
    assertThat(takeovers(left, "handover") + takeovers(left, "none")).isZero();
    assertThat(left)
        .extracting(GambitProcess::errorsSoFar)
        .anyMatch(
            log ->
                Pattern.compile(
                        "This node leads the cluster as epoch 2 from entry \\d+ on: the leader is"
                            + " silent; nobody has led for \\d{4,} ms, \\d+ entries were read"
                            + " meanwhile, \\d+ requests of this node have waited")
                    .matcher(log)
                    .find());
  }

  private static double takeovers(List<GambitProcess> nodes, String cause) throws IOException {
    double sum = 0;
    for (GambitProcess node : nodes) {
      sum += node.metric("gambit_cluster_takeovers_total{cause=\"" + cause + "\"}");
    }
    return sum;
  }

  @ThoroughOnly
  @Test
  void aNodeThatWasAwayHasWhatItMissedBeforeItListens() throws IOException {
    assertThat(nodes.get(2).terminate().exitStatus()).isZero();
    Event missed;
    try (Client author = client(0)) {
      missed = author.publishAccepted(note("missed"));
    }
    GambitProcess again = node("c");
    try (Client reader = new Client(again.url())) {
      assertThat(reader.queryIds(byId(missed))).contains(missed.id().hex());
    }
  }

  @Test
  void aGameAcrossNodesGoesOnWhenTheLeaderIsKilled() {
    try (RecordingPlayer alice = player(1);
        RecordingPlayer bob = player(2)) {
      RecordingPlayer.of(alice.client.search(TimeControl.parse("300+3").orElseThrow()));
      RecordingPlayer.of(bob.client.search(TimeControl.parse("300+3").orElseThrow()));
      boolean isAliceWhite = alice.awaitGame().terms().ours() == Side.WHITE;
      bob.awaitGame();
      List<RecordingPlayer> players = isAliceWhite ? List.of(alice, bob) : List.of(bob, alice);
      play(players, List.of("f2f3", "e7e5"), 0);
      nodes.get(0).kill();
      play(players, List.of("g2g4", "d8h4"), 2);
      for (RecordingPlayer player : players) {
        player.awaitEnd();
        assertThat(player.game().ending().termination()).isEqualTo("checkmate");
        assertThat(player.began).as("it is the game that began").hasSize(1);
      }
    }
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
