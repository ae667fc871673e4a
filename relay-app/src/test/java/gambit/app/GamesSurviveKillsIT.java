package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.games.Arena;
import gambit.app.verify.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A relay that is killed while games are played, and started again on what it has left, goes on
 * with all of them where they stood by what it has said to their players.
 */
class GamesSurviveKillsIT {
  private static final boolean LONG = Boolean.getBoolean("gambit.long");

  @TempDir Path temp;

  @Test
  void aThousandRunningGamesGoOn() throws Exception {
    play(20, LONG ? 10 : 3, 10_000, Arena.Mood.PATIENT);
  }

  @Test
  void gamesBeginGoOnAndEndHoweverOftenItIsKilled() throws Exception {
    play(4, LONG ? 300 : 30, 1_000, Arena.Mood.FICKLE);
  }

  private void play(int clubs, int kills, int frames, Arena.Mood mood) throws Exception {
    long seed = new Random().nextLong();
    System.out.println("The seed is " + seed);
    Random random = new Random(seed);
    try (Arena arena = new Arena(clubs, clubs > 4 ? 100 : 25, random)) {
      for (int i = 0; i < kills; i++) {
        arena.relayStarts();
        try (Program relay = relay()) {
          arena.comeBack(relay.url(), key(relay));
          arena.play(mood, 1 + random.nextInt(frames));
          relay.kill();
          arena.awaitEnd();
          assertThat(relay.exitStatus()).as("killed").isNotZero();
          assertThat(relay.errors()).doesNotContain("ERROR", "Exception");
        }
      }
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
  }

  private static String key(Program relay) {
    return relay.banner().get(2).replaceAll(".* ", "");
  }

  /** One whose native libraries, which a killed one leaves behind, are deleted with the rest. */
  private Program relay() throws Exception {
    Path libraries = Files.createDirectories(temp.resolve("libraries"));
    List<String> options = List.of("-Djava.io.tmpdir=" + libraries);
    return Program.relayWith(options, temp.resolve("data"), "--set", "chess.max_clock_skew=300s");
  }
}
