package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.runtime.ChessSettings;
import gambit.chess.session.runtime.SimultaneousGames;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays every golden file about a player with several games at once over real sockets; lots give
 * White to the inviter.
 */
class SeveralGamesFramesTest {
  private static final SimultaneousGames TWO_OF_THE_HOUSE =
      new SimultaneousGames(Set.of(Keys.of("house").pubkey()), 2);

  @TestFactory
  Stream<DynamicTest> everyGoldenFile() {
    return GoldenFile.listIn(Path.of("src/test/resources/frames/several")).stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
  }

  private static void play(Path file) {
    assertThat(GoldenFile.hasSetting(file, "chess house has 2 games")).isTrue();
    ChessSettings settings = ChessSettings.DEFAULT.withSimultaneousGames(TWO_OF_THE_HOUSE);
    try (TestRelay relay =
        new TestRelay(GoldenFile.nips(file), new ChessFeature(settings, () -> 0L))) {
      GoldenFile.play(relay, file);
    }
  }
}
