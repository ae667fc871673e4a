package gambit.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The unmodified client libraries of most clients work with the relay, each alone and each with
 * each other one: {@code src/test/clients}, on Node.
 */
@ThoroughOnly
class ClientLibrariesIT {
  /** The number of events that are read in pages. */
  private static final int EVENTS = TestEffort.of(600, 10_000);

  /** The result of a scenario in TAP, with the comments that follow it. */
  private static final Pattern SCENARIO =
      Pattern.compile("(?m)^(?:not )?ok \\d+ - (.*)(?:\\n#.*)*");

  @TestFactory
  List<DynamicTest> clientLibrariesPassEveryScenario(@TempDir Path data) throws Exception {
    NodePrograms node = new NodePrograms(Path.of("src/test/clients"), Path.of("target/clients"));
    Optional<String> lacks = node.missingRequirement();
    if (lacks.isPresent()) {
      return List.of(skipped(lacks.get()));
    }
    node.install();
    String admin = Keys.of("admin").pubkey().hex();
    try (GambitProcess relay =
        GambitProcess.relay(data, "--set", "management.admins=" + admin, "--set", "nips.50=true")) {
      String output = node.run("node", "scenarios.mjs", "" + relay.url(), "" + EVENTS).output();
      List<MatchResult> scenarios = SCENARIO.matcher(output).results().toList();
      assertThat(output).as("all scenarios were run").endsWith("1.." + scenarios.size() + "\n");
      return scenarios.stream().map(ClientLibrariesIT::played).toList();
    }
  }

  private static DynamicTest played(MatchResult scenario) {
    return DynamicTest.dynamicTest(
        scenario.group(1), () -> assertThat(scenario.group()).startsWith("ok "));
  }

  /** A skipped test, because a skipped test factory would appear in no report. */
  private static DynamicTest skipped(String reason) {
    return DynamicTest.dynamicTest("no client libraries", () -> Assumptions.abort(reason));
  }
}
