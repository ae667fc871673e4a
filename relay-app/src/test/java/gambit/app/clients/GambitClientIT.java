package gambit.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.chess.rating.RatingVectors;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The client library {@code clients/gambit-client} plays against the packaged jar, on Node. */
@ThoroughOnly
class GambitClientIT {
  private static final int LOAD_SECONDS = TestEffort.of(2, 60);
  private static final int LOAD_CLIENTS = TestEffort.of(10, 200);

  /** The end of the report of Node's test runner. */
  private static final Pattern SUMMARY =
      Pattern.compile(
          "(?m)^(?:#|ℹ) pass (\\d+)\\R(?:#|ℹ) fail 0\\R(?:#|ℹ) cancelled 0\\R(?:#|ℹ) skipped 0$");

  private static final Path RATED_GAMES = Path.of("target/rated-games-for-node.jsonl");

  /** The tests start relays themselves. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "RATED_GAMES", RATED_GAMES.toAbsolutePath().toString(),
          "GAMBIT", GambitProcess.SCRIPT.toString(),
          "JAVA_HOME", System.getProperty("java.home"),
          "JAVA_OPTS", String.join(" ", GambitProcess.quick()));

  private static NodePrograms node;

  @BeforeAll
  static void install() throws Exception {
    Path clients = Path.of("../clients");
    node = new NodePrograms(clients, Path.of("target/client-library"));
    node.missingRequirementOfLibrary().ifPresent(Assumptions::abort);
    if (!node.linkPackagesOf(clients)) {
      node.install("-w", "gambit-client");
    }
    RatingVectors.writeManyTo(RATED_GAMES);
  }

  @Test
  void clientLibraryPassesItsTestsAndManyClientsOfItPlayWithoutAnError() throws Exception {
    CopiedPrograms.Result tests = node.run(ENVIRONMENT, "npm", "test", "-w", "gambit-client");
    assertThat(tests.isSuccess()).as(tests.output()).isTrue();
    Matcher summary = SUMMARY.matcher(tests.output());
    assertThat(summary.find()).as(tests.output()).isTrue();
    assertThat(Integer.parseInt(summary.group(1))).isGreaterThan(60);
    String compiled = "gambit-client/dist-test/test/load.js";
    CopiedPrograms.Result load =
        node.run(ENVIRONMENT, "node", compiled, "-", "" + LOAD_SECONDS, "" + LOAD_CLIENTS);
    assertThat(load.isSuccess()).as(load.output()).isTrue();
  }
}
