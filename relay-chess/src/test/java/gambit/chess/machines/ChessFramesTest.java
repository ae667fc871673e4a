package gambit.chess.machines;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays every golden file of chess over real sockets, once for all tests of what was sent and
 * received. The player who searched first, and an inviter, is White.
 */
class ChessFramesTest {
  @TestFactory
  Stream<DynamicTest> everyGoldenFile() {
    return PlayedGoldenFiles.files().stream()
        .map(file -> DynamicTest.dynamicTest("" + file, () -> PlayedGoldenFiles.steps(file)));
  }

  @Nested
  class TestVectors extends VectorTests {}

  @Nested
  class JsonSchemas extends SchemaTests {}
}
