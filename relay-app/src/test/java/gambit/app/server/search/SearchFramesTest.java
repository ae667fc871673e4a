package gambit.app.server.search;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.feature.Feature;
import gambit.core.model.KindSet;
import gambit.core.nip.StandardNips;
import gambit.core.store.EventStore;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.GoldenPolicies;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class SearchFramesTest {
  private static final Path FRAMES = Path.of("src/test/resources/frames/nip50");

  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> everyGoldenFile() {
    return GoldenFile.listIn(FRAMES).stream()
        .map(file -> DynamicTest.dynamicTest("" + file.getFileName(), () -> play(file)));
  }

  private void play(Path file) throws Exception {
    StandardNips nips = GoldenFile.nips(file);
    if (nips.off().contains(50)) {
      try (TestRelay relay = new TestRelay(nips)) {
        GoldenFile.play(relay, file);
      }
      return;
    }
    EventStore store = new MemoryEventStore(64 << 20);
    Path index = Files.createDirectory(directory.resolve("" + file.getFileName()));
    try (TextSearch search = new TextSearch(new SearchSettings(KINDS), store, index, PATIENT);
        TestRelay relay = new TestRelay(nips, store, GoldenPolicies.of(file), search, chess())) {
      GoldenFile.play(relay, file);
    }
  }

  /** Its guard hides spectators' comments. */
  private static Feature chess() {
    return new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE);
  }

  /** The default of {@code search.kinds}. */
  /** For a slow machine. */
  static final TextSearch.TimeLimits PATIENT =
      new TextSearch.TimeLimits(Duration.ofMinutes(1), Duration.ofMinutes(1));

  static final KindSet KINDS = KindSet.of(0, 1, 11, 64, 1111, 9802, 30_023, 30_402);
}
