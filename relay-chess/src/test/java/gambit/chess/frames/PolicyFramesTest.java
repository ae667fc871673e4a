package gambit.chess.frames;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.runtime.ChessSettings;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.GoldenPolicies;
import gambit.core.testkit.TestRelay;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Plays every golden file about chess under the operator's policies over real sockets. */
class PolicyFramesTest {
  @TestFactory
  Stream<DynamicTest> everyGoldenFile() {
    return GoldenFile.listIn(Path.of("src/test/resources/frames/policies")).stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
  }

  private static void play(Path file) {
    try (TestRelay relay =
        new TestRelay(
            GoldenFile.nips(file),
            GoldenPolicies.of(file),
            new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE))) {
      GoldenFile.play(relay, file);
    }
  }
}
