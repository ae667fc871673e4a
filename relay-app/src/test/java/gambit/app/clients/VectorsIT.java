package gambit.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.LocalRelay;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packaged relay answers as the test vectors in {@code docs/protocol/vectors} state. The golden
 * files, of which they are made, are all played by {@code ChessFramesTest}.
 */
@ThoroughOnly
class VectorsIT {
  /**
   * Seconds that a vector may wait; the waits of the others are tested with a clock set by hand.
   */
  private static final String LONGEST_WAIT = "" + TestEffort.of(0, 1);

  /** The lobby is published once a second. */
  private static final String LONGEST_LOBBY_WAIT = "6";

  private static final Pattern SUMMARY =
      Pattern.compile("(\\d+) passed, 0 failed, (\\d+) skipped\n$");

  /** Of the vectors of the default settings, one in so many is played. */
  private static final int STEP = TestEffort.of(3, 1);

  private static final Path VECTORS = Path.of("../docs/protocol/vectors");

  private static NodePrograms node;

  @BeforeAll
  static void install() throws Exception {
    node = new NodePrograms(VECTORS, Path.of("target/vectors"));
    node.missingRequirement().ifPresent(Assumptions::abort);
    node.install();
  }

  @Test
  void vectorsOfTheDefaultSettingsPass(@TempDir Path data) throws Exception {
    List<String> options = new ArrayList<>(names());
    options.addAll(List.of("--wait", LONGEST_WAIT));
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      options.add(url(relay));
      String output = play(options.toArray(String[]::new));
      assertThat(passed(output)).as(output).isGreaterThan(80 / STEP);
    }
  }

  /** The names of the vectors that are played: {@code <folder>/<file>}. */
  private static List<String> names() throws IOException {
    try (Stream<Path> files = Files.find(VECTORS, 2, (file, is) -> is.isRegularFile())) {
      List<String> all =
          files
              .map(file -> VECTORS.relativize(file).toString())
              .filter(name -> name.matches("[^/]+/[^/]+\\.json"))
              .filter(name -> !name.startsWith("node_modules"))
              .map(name -> name.replace(".json", ""))
              .sorted()
              .toList();
      return IntStream.range(0, all.size()).filter(i -> i % STEP == 0).mapToObj(all::get).toList();
    }
  }

  /** The others depend on what happens within one second, which a busy machine does not grant. */
  @Test
  void lobbyPassesOnANewRelay(@TempDir Path data) throws Exception {
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      String output = play(url(relay), "lobby/lobby", "--idle", "--wait", LONGEST_LOBBY_WAIT);
      assertThat(passed(output)).as(output).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nips.challenge_on_connect=false",
        "chess.require_auth=true",
        "chess.require_relay_tag=true",
        "chess.slow_games=2",
        "nips.4=false nips.59=false nips.42=false"
      })
  void vectorsOfOtherSettingsPass(String settings, @TempDir Path data) throws Exception {
    List<String> runnerOptions = new ArrayList<>();
    for (String setting : settings.split(" ")) {
      runnerOptions.addAll(List.of("--with", setting));
    }
    try (LocalRelay relay = new LocalRelay(data, 0, settings.split(" "))) {
      runnerOptions.add(0, url(relay));
      String output = play(runnerOptions.toArray(String[]::new));
      assertThat(passed(output)).as(output).isPositive();
    }
  }

  /** The URL by which the relay calls itself. */
  private static String url(LocalRelay relay) {
    return "ws://localhost:" + relay.port();
  }

  private static String play(String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("node", "run.mjs"));
    command.addAll(List.of(options));
    CopiedPrograms.Result played = node.run(command.toArray(String[]::new));
    assertThat(played.isSuccess()).as(played.output()).isTrue();
    return played.output();
  }

  private static int passed(String output) {
    Matcher summary = SUMMARY.matcher(output);
    assertThat(summary.find()).as(output).isTrue();
    return Integer.parseInt(summary.group(1));
  }
}
