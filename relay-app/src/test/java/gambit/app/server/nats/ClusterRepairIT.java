package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.CommandResult;
import gambit.app.GambitProcess;
import gambit.app.tool.client.RecordingPlayer;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.files.Directories;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that has lost its NATS servers, or whose nodes are upgraded one after the other. */
@ThoroughOnly
class ClusterRepairIT {
  @TempDir Path temp;
  private TestNodes nodes;

  @BeforeEach
  void start() {
    nodes = new TestNodes(temp);
  }

  @AfterEach
  void end() {
    if (nodes != null) {
      nodes.close();
    }
  }

  /** Runs a command of {@code gambit cluster} for a node. */
  private CommandResult cluster(String command, String node, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("cluster", command, "--data", "" + nodes.data(node)));
    arguments.addAll(List.of(nodes.settings()));
    arguments.addAll(List.of(more));
    return CommandResult.of(arguments.toArray(String[]::new));
  }

  private long newest(String node) {
    CommandResult result = cluster("seed", node, "--check");
    assertThat(result.output()).as(result.errors()).matches("Newest entry \\d+\\.");
    return Long.parseLong(result.output().replaceAll("\\D", ""));
  }

  @Test
  void aClusterWhoseNatsServersLostEverythingContinuesFromItsMostAdvancedNode() throws Exception {
    GambitProcess first = nodes.startProcess("a");
    nodes.start("b");
    nodes.start("c");
    nodes.publish("c", 20);
    nodes.stop("c");
    nodes.publish("b", 20);
    nodes.stop("b");
    nodes.publish("a", 20);
    first.close();
    nodes.loseNats();
    assertThat(nodes.refusal("a")).contains("gambit cluster seed");
    assertThat(newest("a")).isGreaterThan(newest("b"));
    assertThat(newest("b")).isGreaterThan(newest("c"));
    CommandResult seeded = cluster("seed", "a");
    assertThat(seeded.status()).as(seeded.errors()).isZero();
    assertThat(seeded.output()).contains("which begins with entry " + (newest("a") + 1) + ".");
    assertThat(cluster("seed", "a").output()).as("again").contains("continues this node's copy");
    CommandResult other = cluster("seed", "b");
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.errors()).contains("Not seeded: the log gambit exists");
    for (String name : List.of("a", "b", "c")) {
      nodes.start(name);
      nodes.assertHasEverything(name);
    }
    nodes.publish("c", 10);
    for (String name : List.of("a", "b", "c")) {
      nodes.assertHasEverything(name);
    }
    CommandResult late = cluster("seed", "c");
    assertThat(late.errors()).as("a running node").contains("another process is using");
    nodes.stopAll();
    nodes.assertSameEvents("a", "b", "c");
  }

  @Test
  void aNodeThatWasASingleRelayMeanwhileBecomesAClusterAgain() throws Exception {
    nodes.start("a");
    nodes.start("b");
    nodes.publish("b", 10);
    nodes.stopAll();
    nodes.startAlone("b");
    nodes.publish("b", 10);
    nodes.stop("b");
    CommandResult kept = cluster("seed", "b");
    assertThat(kept.status()).isEqualTo(1);
    assertThat(kept.errors()).contains("nats stream rm gambit");
    nodes.deleteLog();
    assertThat(cluster("seed", "b").status()).isZero();
    nodes.start("b");
    nodes.join("a");
    nodes.assertHasEverything("a");
    nodes.publish("a", 5);
    nodes.stopAll();
    nodes.assertSameEvents("a", "b");
  }

  @Test
  void aBackupOfOneNodeTakesTheWholeClusterBack() throws Exception {
    nodes.start("a");
    nodes.start("b");
    nodes.publish("a", 10);
    String backup = "" + temp.resolve("backup");
    assertRuns("backup", backup, "--data", "" + nodes.data("a"));
    Event mistake = nodes.note();
    try (Client author = new Client(nodes.url("b"))) {
      author.publishAccepted(mistake);
    }
    nodes.stopAll();
    assertRuns("restore", backup, "--data", "" + nodes.data("restored"));
    nodes.deleteLog();
    CommandResult seeded = cluster("seed", "restored");
    assertThat(seeded.status()).as(seeded.errors()).isZero();
    nodes.start("restored");
    Directories.delete(nodes.data("b"));
    nodes.join("b");
    nodes.publish("b", 10);
    for (String name : List.of("restored", "b")) {
      nodes.assertHasEverything(name);
      try (Client reader = new Client(nodes.url(name))) {
        assertThat(reader.queryIds("{\"ids\":[\"" + mistake.id().hex() + "\"]}")).isEmpty();
      }
    }
    nodes.stop("restored");
    nodes.stop("b");
    nodes.assertSameEvents("restored", "b");
  }

  private static void assertRuns(String... command) {
    CommandResult result = CommandResult.of(command);
    assertThat(result.status()).as(result.errors()).isZero();
  }

  @Test
  void nodesThatAreRestartedOneAfterTheOtherLoseNothing() throws Exception {
    List<String> names = List.of("a", "b", "c");
    for (String name : names) {
      nodes.start(name);
    }
    AtomicBoolean isOver = new AtomicBoolean();
    List<Event> accepted = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              while (!isOver.get()) {
                publishSomewhere(names, accepted);
              }
            });
    try (RecordingPlayer one = player("b");
        RecordingPlayer other = player("c")) {
      List<RecordingPlayer> players = pair(one, other);
      List<String> moves = List.of("f2f3", "e7e5", "g2g4", "d8h4");
      for (int i = 0; i < names.size(); i++) {
        nodes.stop(names.get(i));
        int before = accepted.size();
        await().atMost(Duration.ofMinutes(2)).until(() -> accepted.size() > before + 5);
        nodes.start(names.get(i));
        move(players, i, moves.get(i));
      }
      move(players, names.size(), moves.get(names.size()));
      for (RecordingPlayer player : players) {
        player.awaitEnd();
        assertThat(player.game().ending().termination()).isEqualTo("checkmate");
        assertThat(player.began).as("it is the game that began").hasSize(1);
      }
    } finally {
      isOver.set(true);
      writing.join();
    }
    accepted.forEach(nodes::acknowledged);
    for (String name : names) {
      nodes.assertHasEverything(name);
    }
    CommandResult status = cluster("status", "a");
    assertThat(status.errors()).isEmpty();
    assertThat(status.status()).isZero();
    assertThat(status.output().lines().filter(it -> it.startsWith("node "))).hasSize(3);
    assertThat(status.output()).containsOnlyOnce(": leads, ").contains("snapshot: entry ");
    nodes.stopAll();
    nodes.assertSameEvents("a", "b", "c");
    assertThat(cluster("status", "a").errors()).isEqualTo("No node runs.");
  }

  private RecordingPlayer player(String node) {
    return new RecordingPlayer(new RelayPlace(nodes.url(node), TestRelay.URL, null));
  }

  /** Begins a game between two players; returns them with White first. */
  private static List<RecordingPlayer> pair(RecordingPlayer one, RecordingPlayer other) {
    RecordingPlayer.of(one.client.search(TimeControl.parse("300+3").orElseThrow()));
    RecordingPlayer.of(other.client.search(TimeControl.parse("300+3").orElseThrow()));
    boolean isFirstWhite = one.awaitGame().terms().ours() == Side.WHITE;
    other.awaitGame();
    return isFirstWhite ? List.of(one, other) : List.of(other, one);
  }

  private static void move(List<RecordingPlayer> players, int plies, String move) {
    players.get(plies % 2).awaitTurn(plies).move(move);
    for (RecordingPlayer player : players) {
      player.awaitPlies(plies + 1);
    }
  }

  /** As a client does behind a proxy: it publishes again, elsewhere, until it has an answer. */
  private void publishSomewhere(List<String> names, List<Event> accepted) {
    Event event = nodes.note();
    await()
        .pollDelay(Duration.ofMillis(20)) // some events a second are enough
        .until(() -> names.stream().anyMatch(name -> isAccepted(event, name)));
    accepted.add(event);
  }

  private boolean isAccepted(Event event, String node) {
    if (!nodes.isRunning(node)) {
      return false;
    }
    try (Client author = new Client(nodes.url(node))) {
      return author.answerTo(event).matches("(duplicate: .*)?");
    } catch (RuntimeException | AssertionError e) {
      return false; // it ends at the moment
    }
  }

  @Test
  void aNodeWhoseCopyDiffersFromTheLogEndsInsteadOfServing() throws Exception {
    nodes.start("a");
    nodes.start("b");
    nodes.publish("a", 5);
    nodes.stop("b");
    nodes.changeCopy("b");
    nodes.publish("a", 5);
    List<String> arguments =
        new ArrayList<>(List.of("--data", "" + nodes.data("b"), "--metrics-port", "0"));
    arguments.addAll(List.of("--port", "0"));
    arguments.addAll(List.of(nodes.settings()));
    try (GambitProcess node = GambitProcess.run(arguments.toArray(String[]::new))) {
      assertThat(node.exitStatus()).isEqualTo(1);
      assertThat(node.errors())
          .containsPattern(
              "Gambit ends: this node's copy of the log differs from the cluster's at group \\d+;"
                  + " move its data directory away");
      assertThat(node.output()).as("it has served nobody").isEmpty();
    }
    nodes.publish("a", 1);
  }

  @Test
  void anEntryOfANewerVersionStopsANodeBeforeItAppliesIt() throws Exception {
    GambitProcess node = nodes.startProcess("a");
    nodes.publish("a", 5);
    nodes.append(new byte[] {2, 0, 0, 0});
    assertThat(node.exitStatus()).isEqualTo(1);
    assertThat(node.errors())
        .contains("Gambit ends: the log of the cluster cannot be followed")
        .contains("has version 2")
        .contains("must be upgraded");
    assertThat(nodes.copy("a").events()).hasSize(5);
  }
}
