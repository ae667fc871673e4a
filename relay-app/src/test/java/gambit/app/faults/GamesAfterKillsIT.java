package gambit.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.CommandResult;
import gambit.app.GambitProcess;
import gambit.app.games.RandomGames;
import gambit.app.tool.verify.VerifyResult;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After it is killed and restarted, the relay resumes every game in a state that agrees with what
 * its players were sent.
 */
@ThoroughOnly
class GamesAfterKillsIT {
  @TempDir Path temp;

  @Test
  void manyRunningGamesResumeAfterAKill() throws Exception {
    int running = TestEffort.of(60, 1_000);
    int kills = TestEffort.of(1, 10);
    Random random = seeded();
    try (RandomGames games = new RandomGames(20, running / 10, random)) {
      for (int i = 1; i <= kills; i++) {
        int messages = (2 + random.nextInt(8)) * running;
        kill(games, RandomGames.Behaviour.WITHOUT_ENDINGS, messages, running, i == kills);
      }
      end(games);
    }
  }

  @Test
  void gamesBeginResumeAndEndAcrossRepeatedKills() throws Exception {
    int kills = TestEffort.of(2, 300);
    Random random = seeded();
    try (RandomGames games = new RandomGames(4, 25, random)) {
      for (int i = 1; i <= kills; i++) {
        int messages = 1 + random.nextInt(1_000);
        kill(games, RandomGames.Behaviour.WITH_ENDINGS, messages, 0, i == kills);
      }
      end(games);
    }
  }

  private static Random seeded() {
    long seed = new Random().nextLong();
    System.out.println("The seed is " + seed);
    return new Random(seed);
  }

  /**
   * Starts the relay, and kills it after these messages once enough games run.
   *
   * @param isLast whether a game must have so many moves that {@link #end} finds it rated
   */
  private void kill(
      RandomGames games,
      RandomGames.Behaviour behaviour,
      int messages,
      int minGames,
      boolean isLast)
      throws Exception {
    games.relayStarts();
    try (GambitProcess relay = relay()) {
      games.reconnect(relay.url(), key(relay));
      games.play(behaviour, messages);
      await()
          .atMost(Duration.ofMinutes(5))
          .until(
              () ->
                  relay.metric("gambit_chess_games") >= minGames
                      && (!isLast || games.hasRatedGame()));
      relay.kill();
      games.awaitEnd();
      assertThat(relay.exitStatus()).as("killed").isNotZero();
      assertThat(relay.errors()).doesNotContain("ERROR", "Exception");
    }
  }

  /** Starts the relay, ends all games, and checks their records. */
  private void end(RandomGames games) throws Exception {
    games.relayStarts();
    try (GambitProcess relay = relay()) {
      games.reconnect(relay.url(), key(relay));
      games.play(RandomGames.Behaviour.RESIGNING, 1);
      games.awaitEnd();
      games.checkRecords(relay.url());
      for (String game : games.recordedGames()) {
        assertThat(VerifyResult.of(game, relay.url()).output()).endsWith("Everything holds.\n");
      }
      CommandResult ratings = CommandResult.of("ratings", "verify", "--lots", "" + relay.url());
      assertThat(ratings.output())
          .as("the chain of the rated ones: " + ratings.errors())
          .matches("(?s).*\\n[1-9]\\d* rated games? of .*\\nEverything holds\\.");
      assertThat(relay.terminate().exitStatus()).isZero();
    }
  }

  private static String key(GambitProcess relay) {
    return relay.banner().get(2).replaceAll(".* ", "");
  }

  private GambitProcess relay() throws Exception {
    return GambitProcess.relay(temp.resolve("data"), "--set", "chess.max_clock_skew=300s");
  }
}
