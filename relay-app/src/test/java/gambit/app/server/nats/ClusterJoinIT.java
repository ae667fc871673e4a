package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import gambit.app.common.PrivateFile;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that join a cluster or come back to it when its log has no longer what they lack. */
@ThoroughOnly
class ClusterJoinIT {
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

  @Test
  void anEmptyNodeJoinsWhileTheTrimmedLogIsWrittenTo() throws Exception {
    nodes.start("a");
    nodes.start("b");
    nodes.publish("b", 100);
    nodes.trim();
    AtomicBoolean isOver = new AtomicBoolean();
    List<Event> meanwhile = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              try (Client author = new Client(nodes.url("a"))) {
                do {
                  await()
                      .pollDelay(Duration.ofMillis(10)) // a hundred events a second are enough
                      .until(() -> meanwhile.add(author.publishAccepted(nodes.note())));
                } while (!isOver.get());
              }
            });
    nodes.join("c");
    isOver.set(true);
    writing.join();
    meanwhile.forEach(nodes::acknowledged);
    nodes.assertHasEverything("c");
    assertThat(nodes.data("c").resolve("joining")).doesNotExist();
    assertThat(nodes.data("c").resolve("house.key")).doesNotExist();
    nodes.stopAll();
    nodes.assertSameEvents("a", "b", "c");
  }

  @Test
  void aNodeThatWasAwayForLongerThanTheLogKeepsEntriesComesBack() throws Exception {
    nodes.start("a");
    nodes.start("b");
    nodes.publish("b", 10);
    nodes.stop("b");
    nodes.publish("a", 50);
    nodes.trim();
    nodes.publish("a", 10);
    nodes.join("b");
    nodes.assertHasEverything("b");
    nodes.publish("b", 10);
    nodes.assertHasEverything("a");
    nodes.stopAll();
    nodes.assertSameEvents("a", "b");
  }

  @Test
  void aNodeThatStoodStillForLongerThanTheLogKeepsEntriesStartsAnewInItsProcess() throws Exception {
    nodes.start("a");
    GambitProcess still = nodes.startProcess("b");
    nodes.publish("b", 10);
    signal("STOP", still);
    nodes.publishMoreThanANodeReadsAhead("a");
    nodes.trim();
    nodes.publish("a", 10);
    signal("CONT", still);
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> still.errorsSoFar().contains("Ready again: "));
    assertThat(still.errorsSoFar())
        .contains("the log does not have its next entry any more")
        .contains("Fetched the snapshot of entry ");
    nodes.assertHasEverything("b");
    nodes.publish("b", 10);
    nodes.stopAll();
    nodes.assertSameEvents("a", "b");
  }

  @Test
  void aNodeThatCannotStartAnewInItsProcessEndsWithAFailure() throws Exception {
    nodes.start("a");
    GambitProcess still = nodes.startProcess("b");
    signal("STOP", still);
    nodes.publishMoreThanANodeReadsAhead("a");
    nodes.trim();
    nodes.publish("a", 10);
    Files.delete(nodes.data("b").resolve("relay.key"));
    signal("CONT", still);
    assertThat(still.exitStatus()).as("so that a supervisor starts it again").isEqualTo(1);
    assertThat(still.errors())
        .contains("The relay cannot be started anew, and ends: --data: there is no relay.key")
        .doesNotContain("Shutting down after a signal");
  }

  private static void signal(String name, GambitProcess process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor())
        .isZero();
  }

  @Test
  void aSingleRelayBecomesAClusterWithTheSameOffsetsAndANodeOfItASingleRelay() throws Exception {
    nodes.startAlone("a");
    nodes.publish("a", 60);
    nodes.stop("a");
    TestNodes.Copy alone = nodes.copy("a");
    nodes.start("a");
    nodes.join("b");
    nodes.publish("b", 10);
    nodes.assertHasEverything("a");
    nodes.stopAll();
    nodes.assertSameEvents("a", "b");
    TestNodes.Copy shared = nodes.copy("b");
    assertThat(shared.events()).containsAllEntriesOf(alone.events()).hasSize(70);
    assertThat(shared.sequence()).as("10 notes and takeovers").isGreaterThan(alone.sequence() + 10);
    nodes.startAlone("b");
    nodes.publish("b", 5);
    nodes.assertHasEverything("b");
  }

  @Test
  void aDirectoryWithoutTheKeyOfTheRelayIsRefused() throws Exception {
    nodes.start("a");
    assertThat(nodes.refusal("other")).contains("copy relay.key and house.key of another node");
    Path key = nodes.data("single").resolve("relay.key");
    Files.createDirectories(nodes.data("single"));
    PrivateFile.create(key, "1".repeat(64));
    assertThat(nodes.refusal("single")).contains("relay.key is not that of the cluster");
  }
}
