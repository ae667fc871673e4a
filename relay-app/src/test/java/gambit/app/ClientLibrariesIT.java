package gambit.app;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client libraries that most clients are made with work with the relay as they are, each alone
 * and each with each other one: {@code src/test/clients}, on Node.
 */
class ClientLibrariesIT {
  private static final Path SOURCES = Path.of("src/test/clients");
  private static final Path CLIENTS = Path.of("target/clients");
  private static final int PATIENCE_MINUTES = 10;

  /** A scenario as Node tells of it by the rules of TAP, with the comments that follow. */
  private static final Pattern SCENARIO =
      Pattern.compile("(?m)^(?:not )?ok \\d+ - (.*)(?:\\n#.*)*");

  @TestFactory
  List<DynamicTest> librariesDoWhatClientsDo(@TempDir Path data) throws Exception {
    copySources();
    for (String needed : List.of("node --version", "npm view ws version")) {
      if (!run(needed.split(" ")).well()) {
        return List.of(skipped("`" + needed + "` fails here"));
      }
    }
    Ended installation = run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
    assertThat(installation.well()).as(installation.output()).isTrue();
    try (Program relay = Program.relay(data)) {
      String output = run("node", "scenarios.mjs", relay.url().toString()).output();
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

  private static void copySources() throws IOException {
    Files.createDirectories(CLIENTS);
    try (Stream<Path> sources = Files.list(SOURCES)) {
      for (Path source : sources.toList()) {
        Files.copy(source, CLIENTS.resolve(source.getFileName()), REPLACE_EXISTING);
      }
    }
  }

  /** How a program has ended. */
  private record Ended(boolean well, String output) {}

  /** Runs a program in the directory of the clients. */
  private static Ended run(String... command) throws Exception {
    Path output = CLIENTS.resolve("output.txt");
    ProcessBuilder program =
        new ProcessBuilder(command)
            .directory(CLIENTS.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    Process process;
    try {
      process = program.start();
    } catch (IOException e) {
      return new Ended(false, e.getMessage());
    }
    try {
      boolean inTime = process.waitFor(PATIENCE_MINUTES, MINUTES);
      return new Ended(inTime && process.exitValue() == 0, Files.readString(output));
    } finally {
      process.destroyForcibly();
    }
  }
}
