package gambit.chess.machines;

import gambit.chess.frames.RequiredSettings;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The golden files of chess, played once for all tests of this package. Any thread. */
final class PlayedGoldenFiles {
  private static final Path FRAMES = Path.of("src/test/resources/frames");

  private static final Map<Path, List<GoldenFile.Played>> PLAYED = new LinkedHashMap<>();

  private PlayedGoldenFiles() {}

  /** The steps of each file, with the frames that were sent and received. */
  static synchronized Map<Path, List<GoldenFile.Played>> all() {
    if (PLAYED.isEmpty()) {
      Map<Path, List<GoldenFile.Played>> played = new LinkedHashMap<>();
      for (String folder : folders()) {
        GoldenFile.listIn(FRAMES.resolve(folder)).forEach(file -> played.put(file, play(file)));
      }
      PLAYED.putAll(played); // all of them, or none if one fails
    }
    return PLAYED;
  }

  /**
   * The folders of golden files: the dialects, and what both have in common. An operator's policies
   * and imports are no part of the protocol.
   */
  static List<String> folders() {
    try (Stream<Path> folders = Files.list(FRAMES)) {
      return folders
          .map(folder -> "" + folder.getFileName())
          .filter(folder -> !Set.of("policies", "imported").contains(folder))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<GoldenFile.Played> play(Path file) {
    try (TestRelay relay =
        new TestRelay(
            GoldenFile.nips(file),
            new ChessFeature(RequiredSettings.of(file), ChosenLots.FIRST_IS_WHITE))) {
      return GoldenFile.record(relay, file);
    }
  }
}
