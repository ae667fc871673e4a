package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.games.Arena;
import gambit.app.verify.Verdict;
import gambit.core.testkit.TestEffort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A relay that is killed while games are played, and started again on what it has left, goes on
 * with all of them where they stood by what it has said to their players.
 */
class GamesSurviveKillsIT {
  @TempDir Path temp;

  @Test
  void aThousandRunningGamesGoOn() throws Exception {
    Random random = seeded();
    try (Arena arena = new Arena(20, 100, random)) {
      for (int i = 0; i < TestEffort.of(1, 2, 10); i++) {
        kill(arena, Arena.Mood.PATIENT, 1 + random.nextInt(10_000), 1_000);
      }
      end(arena);
    }
  }

  @Test
  void gamesBeginGoOnAndEndHoweverOftenItIsKilled() throws Exception {
    Random random = seeded();
    try (Arena arena = new Arena(4, 25, random)) {
      for (int i = 0; i < TestEffort.of(4, 12, 300); i++) {
        kill(arena, Arena.Mood.FICKLE, 1 + random.nextInt(1_000), 0);
      }
      end(arena);
    }
  }

  private static Random seeded() {
    long seed = new Random().nextLong();
    System.out.println("The seed is " + seed);
    return new Random(seed);
  }

  /** Starts the relay, and kills it after so many frames when so many games run. */
  private void kill(Arena arena, Arena.Mood mood, int frames, int games) throws Exception {
    arena.relayStarts();
    try (Program relay = relay()) {
      arena.comeBack(relay.url(), key(relay));
      arena.play(mood, frames);
      await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> relay.metric("gambit_chess_games") >= games);
      relay.kill();
      arena.awaitEnd();
      assertThat(relay.exitStatus()).as("killed").isNotZero();
      assertThat(relay.errors()).doesNotContain("ERROR", "Exception");
    }
  }

  /** Starts the relay, ends all games, and checks what is left of them. */
  private void end(Arena arena) throws Exception {
    arena.relayStarts();
    try (Program relay = relay()) {
      arena.comeBack(relay.url(), key(relay));
      arena.play(Arena.Mood.TIRED, 1);
      arena.awaitEnd();
      arena.checkRecords(relay.url());
      for (String game : arena.finished()) {
        assertThat(Verdict.of(game, relay.url()).output()).endsWith("Everything holds.\n");
      }
      assertThat(relay.terminate().exitStatus()).isZero();
    }
  }

  private static String key(Program relay) {
    return relay.banner().get(2).replaceAll(".* ", "");
  }

  /** One whose native libraries, which a killed one leaves behind, are deleted with the rest. */
  private Program relay() throws Exception {
    Path libraries = Files.createDirectories(temp.resolve("libraries"));
    List<String> options = Program.quick("-Djava.io.tmpdir=" + libraries);
    return Program.relayWith(options, temp.resolve("data"), "--set", "chess.max_clock_skew=300s");
  }
}
