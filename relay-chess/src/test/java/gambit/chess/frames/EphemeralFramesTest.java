package gambit.chess.frames;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.runtime.ChessSettings;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.TestRelay;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays every golden file of the ephemeral dialect over real sockets; the player who searched first
 * is White.
 */
class EphemeralFramesTest {
  @TestFactory
  Stream<DynamicTest> everyGoldenFile() {
    return GoldenFile.listIn(Path.of("src/test/resources/frames/ephemeral")).stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
  }

  private static void play(Path file) {
    ChessFeature chess = new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE);
    try (TestRelay relay = new TestRelay(GoldenFile.nips(file), chess)) {
      GoldenFile.play(relay, file);
    }
  }
}
