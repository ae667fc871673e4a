package gambit.chess.frames;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.GoldenPolicies;
import gambit.core.testkit.TestRelay;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays every golden file of chess over real sockets. The player who searched first, and an
 * inviter, is White.
 */
class ChessFramesTest {
  private static final Path FRAMES = Path.of("src/test/resources/frames");

  @TestFactory
  Stream<DynamicTest> everyGoldenFile() {
    return Stream.of("nip100", "several", "ephemeral", "jester", "lobby", "policies", "imported")
        .flatMap(folder -> GoldenFile.listIn(FRAMES.resolve(folder)).stream())
        .map(file -> DynamicTest.dynamicTest("" + FRAMES.relativize(file), () -> play(file)));
  }

  private static void play(Path file) {
    ChessFeature chess = new ChessFeature(RequiredSettings.of(file), ChosenLots.FIRST_IS_WHITE);
    try (TestRelay relay = new TestRelay(GoldenFile.nips(file), GoldenPolicies.of(file), chess)) {
      GoldenFile.play(relay, file);
    }
  }
}
