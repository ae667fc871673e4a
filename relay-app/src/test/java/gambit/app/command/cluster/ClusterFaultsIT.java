package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import gambit.app.CommandResult;
import gambit.app.command.cluster.Faults.Fault;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three relays that are one and three NATS servers, with clients of all kinds at once, while any of
 * them is killed, stopped and cut off at random: nothing acknowledged is lost, subscribers get
 * every event once, and no game forks.
 */
@ThoroughOnly
class ClusterFaultsIT {
  private static final int FAULTS = TestEffort.of(2, 3_000);
  private static final int GAMES = TestEffort.of(30, 500);
  private static final int MOVES_PER_SECOND = TestEffort.of(15, 20);
  private static final int FAULTS_PER_LONG_STOP = 40;
  private static final long PAUSE_OF_AUTHORS = TestEffort.of(80, 200);

  /** At least: some hundred are usual. */
  private static final int NOTES_PER_FAULT = 20;

  @TempDir Path temp;

  @Test
  void nothingAcknowledgedIsLostAndNoGameForksWhileNodesAndServersFail() throws Exception {
    long seed = Long.getLong("gambit.seed", new Random().nextLong());
    System.out.println("The seed is " + seed);
    Random random = new Random(seed);
    try (RealCluster cluster = RealCluster.start(temp)) {
      try {
        failUnderLoad(cluster, random);
      } catch (Exception | Error e) {
        cluster.printLogs();
        throw e;
      }
    }
  }

  private static void failUnderLoad(RealCluster cluster, Random random) throws Exception {
    Violations violations = new Violations();
    Faults faults = new Faults(cluster, random);
    try (Load load = new Load(cluster.nodes(), violations, PAUSE_OF_AUTHORS, random);
        ClusterGames games =
            new ClusterGames(cluster.nodes(), violations, GAMES, MOVES_PER_SECOND, random)) {
      load.start();
      games.awaitGames();
      for (int i = 0; i < FAULTS; i++) {
        boolean isLong = i % FAULTS_PER_LONG_STOP == FAULTS_PER_LONG_STOP / 2;
        faults.happen(isLong ? Fault.LEADER_STOPPED : faults.any(), isLong);
        violations.check();
      }
      faults.awaitWhole();
      await("enough to say something, since the faults may be over after less")
          .until(() -> isEnough(load, games.book()));
      games.end();
      load.stopPublishing();
      System.out.println(load.summary() + "; " + games.summary());
      checkEndings(games.book());
      await("subscribers have all notes")
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(
              () ->
                  assertThat(load.subscribers().stream().filter(it -> !it.isComplete()))
                      .extracting(Subscriber::progress)
                      .isEmpty());
      cluster.nodes().forEach(games.book()::check);
      assertThat(cluster.nodes().stream().map(ClusterFaultsIT::ratings).distinct())
          .as("the verified chain of rated games, at each node")
          .singleElement(STRING)
          .matches("(?s).*\\n[1-9]\\d* rated games? of .*\\nEverything holds\\.");
      violations.check();
      System.out.println(new Copies(cluster.nodes()).checkEqual(load.acceptedIds()));
    }
    violations.check();
    cluster.checkLogs();
    System.out.println(faults.summary());
    faults.checkTimes();
  }

  private static String ratings(RelayNode node) {
    return CommandResult.of("ratings", "verify", "--lots", "" + node.url()).output();
  }

  /**
   * Of the games, most must be such that they end with a record, and some such that it is rated.
   */
  private static boolean isEnough(Load load, GameBook games) {
    return load.acceptedIds().size() > FAULTS * NOTES_PER_FAULT
        && games.moves() > GAMES
        && 3 * games.movedByBoth(1) > 2 * games.gameCount()
        && games.movedByBoth(2) > 2;
  }

  private static void checkEndings(GameBook games) {
    assertThat(games.gameCount()).as("games").isGreaterThanOrEqualTo(GAMES * 9 / 10);
    assertThat(2 * games.finished())
        .as("finished games, which have records")
        .isGreaterThan(games.gameCount());
  }
}
