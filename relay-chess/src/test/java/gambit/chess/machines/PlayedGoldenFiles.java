package gambit.chess.machines;

import gambit.chess.frames.RequiredSettings;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.GoldenPolicies;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The golden files of chess, played once for all tests of this package. Any thread. */
final class PlayedGoldenFiles {
  private static final Path FRAMES = Path.of("src/test/resources/frames");

  /** An operator's policies and imports are no part of the protocol. */
  private static final Set<String> OTHER_FOLDERS = Set.of("policies", "imported");

  private static final Map<Path, List<GoldenFile.Played>> PLAYED = new ConcurrentHashMap<>();

  private PlayedGoldenFiles() {}

  /** All golden files. */
  static List<Path> files() {
    return allFolders().stream().flatMap(PlayedGoldenFiles::filesIn).toList();
  }

  /** The golden files of the protocol. */
  static List<Path> ofProtocol() {
    return folders().stream().flatMap(PlayedGoldenFiles::filesIn).toList();
  }

  /** The folders of golden files of the protocol: the dialects, and what both have in common. */
  static List<String> folders() {
    return allFolders().stream().filter(folder -> !OTHER_FOLDERS.contains(folder)).toList();
  }

  private static List<String> allFolders() {
    try (Stream<Path> folders = Files.list(FRAMES)) {
      return folders.map(folder -> "" + folder.getFileName()).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Stream<Path> filesIn(String folder) {
    return GoldenFile.listIn(FRAMES.resolve(folder)).stream();
  }

  /** The steps of the file, with the frames that were sent and received. */
  static List<GoldenFile.Played> steps(Path file) {
    return PLAYED.computeIfAbsent(file, PlayedGoldenFiles::play);
  }

  private static List<GoldenFile.Played> play(Path file) {
    ChessFeature chess = new ChessFeature(RequiredSettings.of(file), ChosenLots.FIRST_IS_WHITE);
    try (TestRelay relay = new TestRelay(GoldenFile.nips(file), GoldenPolicies.of(file), chess)) {
      return GoldenFile.record(relay, file);
    }
  }
}
