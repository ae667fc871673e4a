package gambit.chess.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The test vectors in docs/protocol/vectors are those that the golden files give. */
abstract class VectorTests {
  private static final Path VECTORS = Path.of("../docs/protocol/vectors");
  private static final String COMMAND =
      "mvn -ntp test -pl relay-core,relay-chess -Dtest=ChessFramesTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dgambit.regenerate=true";

  @Test
  void committedVectorsEqualThoseOfTheGoldenFiles() throws IOException {
    Map<String, String> expected = expected();
    if (Boolean.getBoolean("gambit.regenerate")) {
      replaceCommitted(expected);
    }
    Map<String, String> committed = committed();
    assertThat(committed.keySet()).as(COMMAND).isEqualTo(expected.keySet());
    expected.forEach((name, text) -> assertThat(committed.get(name)).as(COMMAND).isEqualTo(text));
  }

  private static Map<String, String> expected() {
    Map<String, String> vectors = new TreeMap<>();
    for (Path file : PlayedGoldenFiles.ofProtocol()) {
      String name = file.getFileName().toString().replace(".frames", ".json");
      String folder = file.getParent().getFileName().toString();
      vectors.put(folder + "/" + name, VectorWriter.write(file, PlayedGoldenFiles.steps(file)));
    }
    return vectors;
  }

  private static Map<String, String> committed() throws IOException {
    Map<String, String> vectors = new TreeMap<>();
    for (String folder : PlayedGoldenFiles.folders()) {
      for (Path file : listed(VECTORS.resolve(folder))) {
        vectors.put(folder + "/" + file.getFileName(), Files.readString(file));
      }
    }
    return vectors;
  }

  private static void replaceCommitted(Map<String, String> vectors) throws IOException {
    for (String folder : PlayedGoldenFiles.folders()) {
      Files.createDirectories(VECTORS.resolve(folder));
      for (Path file : listed(VECTORS.resolve(folder))) {
        Files.delete(file);
      }
    }
    for (Map.Entry<String, String> vector : vectors.entrySet()) {
      Files.writeString(VECTORS.resolve(vector.getKey()), vector.getValue());
    }
  }

  private static List<Path> listed(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
