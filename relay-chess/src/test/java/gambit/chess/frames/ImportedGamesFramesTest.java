package gambit.chess.frames;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.runtime.ChessSettings;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.TestRelay;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays the golden files of imported games: what the operator's connection imports, and what not.
 */
class ImportedGamesFramesTest {
  @TestFactory
  Stream<DynamicTest> everyGoldenFile() {
    return GoldenFile.listIn(Path.of("src/test/resources/frames/imported")).stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
  }

  private static void play(Path file) {
    try (TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT))) {
      GoldenFile.play(relay, file);
    }
  }
}
