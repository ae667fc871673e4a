package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.TestEffort;
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
 * The client libraries that most clients are made with work with the relay as they are, each alone
 * and each with each other one: {@code src/test/clients}, on Node.
 */
class ClientLibrariesIT {
  /** What is paged through. */
  private static final int EVENTS = TestEffort.of(600, 10_000);

  /** A scenario as Node tells of it by the rules of TAP, with the comments that follow. */
  private static final Pattern SCENARIO =
      Pattern.compile("(?m)^(?:not )?ok \\d+ - (.*)(?:\\n#.*)*");

  @TestFactory
  List<DynamicTest> librariesDoWhatClientsDo(@TempDir Path data) throws Exception {
    Node node = new Node(Path.of("src/test/clients"), Path.of("target/clients"));
    Optional<String> lacks = node.lacks();
    if (lacks.isPresent()) {
      return List.of(skipped(lacks.get()));
    }
    node.install();
    try (Program relay = Program.relay(data)) {
      String output = node.run("node", "scenarios.mjs", "" + relay.url(), "" + EVENTS).output();
      List<MatchResult> scenarios = SCENARIO.matcher(output).results().toList();
      assertThat(output).as("all were played").endsWith("1.." + scenarios.size() + "\n");
      return scenarios.stream().map(ClientLibrariesIT::played).toList();
    }
  }

  private static DynamicTest played(MatchResult scenario) {
    return DynamicTest.dynamicTest(
        scenario.group(1), () -> assertThat(scenario.group()).startsWith("ok "));
  }

  /** A test factory that is skipped itself would be in no report. */
  private static DynamicTest skipped(String reason) {
    return DynamicTest.dynamicTest("no client libraries", () -> Assumptions.abort(reason));
  }
}
