package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.bot.Bot.GameLevels;
import gambit.chess.engine.Level;
import gambit.core.model.EventId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GameLevelsTest {
  @TempDir Path directory;

  private static EventId game(int number) {
    return EventId.ofHex("%064x".formatted(number));
  }

  @Test
  void levelsAreReadAgainFromTheFile() {
    Path file = directory.resolve("levels");
    GameLevels levels = new GameLevels(file, game -> false);
    levels.put(game(1), Level.TWO);
    levels.put(game(2), Level.FIVE);
    GameLevels again = new GameLevels(file, game -> false);
    assertThat(again.of(game(1))).contains(Level.TWO);
    assertThat(again.of(game(2))).contains(Level.FIVE);
    assertThat(again.of(game(3))).isEmpty();
  }

  @Test
  void theOldestGamesAreForgotten() {
    Path file = directory.resolve("levels");
    GameLevels levels = new GameLevels(file, game -> false);
    for (int i = 0; i <= GameLevels.MAX_GAMES; i++) {
      levels.put(game(i), Level.ONE);
    }
    for (GameLevels each : new GameLevels[] {levels, new GameLevels(file, game -> false)}) {
      assertThat(each.of(game(0))).isEmpty();
      assertThat(each.of(game(1))).contains(Level.ONE);
      assertThat(each.of(game(GameLevels.MAX_GAMES))).contains(Level.ONE);
    }
  }

  @Test
  void endedGamesAreForgottenBeforeRunningOnesInTheOrderOfTheirEnds() {
    Set<EventId> running = new HashSet<>(Set.of(game(0), game(1)));
    GameLevels levels = new GameLevels(null, running::contains);
    for (int i = 0; i < GameLevels.MAX_GAMES; i++) {
      levels.put(game(i), Level.TWO);
    }
    running.remove(game(1));
    levels.ended(game(1));
    levels.put(game(GameLevels.MAX_GAMES), Level.TWO);
    assertThat(levels.of(game(0))).as("it runs").contains(Level.TWO);
    assertThat(levels.of(game(1))).as("it has ended last").contains(Level.TWO);
    assertThat(levels.of(game(2))).isEmpty();
  }

  @Test
  void aDamagedFileCostsNothingButTheLevelsInIt() throws Exception {
    Path file = directory.resolve("levels");
    Files.write(file, new byte[] {(byte) 0xff, 0, '\n', ' ', ' ', '\n'});
    GameLevels levels = new GameLevels(file, game -> false);
    levels.put(game(1), Level.ONE);
    assertThat(new GameLevels(file, game -> false).of(game(1))).contains(Level.ONE);
  }

  @Test
  void aFileThatCannotBeWrittenDoesNotStopTheBot() {
    GameLevels levels =
        new GameLevels(directory.resolve("missing").resolve("levels"), game -> false);
    levels.put(game(1), Level.ONE);
    assertThat(levels.of(game(1))).contains(Level.ONE);
  }
}
