package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The program in {@code src/test/go/registers}, which checks histories of registers with Porcupine.
 * It is built where Go is, and where Go can get its module; elsewhere the test is skipped.
 */
final class Porcupine {
  private static final Path SOURCES = Path.of("src/test/go/registers").toAbsolutePath();
  private static final int BUILD_MINUTES = 3;
  private static final int CHECK_MINUTES = 8;

  private final Path program;

  /** The result of a check; the report names what is not linearizable. */
  record Result(boolean isLinearizable, String report) {}

  private Porcupine(Path program) {
    this.program = program;
  }

  /** Builds the program in a directory. */
  static Porcupine build(Path directory) throws IOException, InterruptedException {
    Optional<Path> go =
        Stream.of((System.getenv("PATH") + ":/usr/local/go/bin").split(":"))
            .map(it -> Path.of(it, "go"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(go.isPresent(), "there is no Go to build the checker of histories");
    Path program = directory.resolve("registers");
    Path log = directory.resolve("go.log");
    ProcessBuilder build = new ProcessBuilder(go.get() + "", "build", "-o", program + "", ".");
    build.environment().put("GOFLAGS", "-mod=readonly");
    Process process =
        build
            .directory(SOURCES.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean isBuilt = process.waitFor(BUILD_MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0;
    process.destroyForcibly();
    assumeTrue(isBuilt, () -> "Go cannot build the checker of histories: " + read(log));
    return new Porcupine(program);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Checks histories: an operation in each line. */
  Result check(List<String> operations) throws IOException, InterruptedException {
    Path input = Files.createTempFile(program.getParent(), "history", ".jsonl");
    Path report = Files.createTempFile(program.getParent(), "report", ".txt");
    Files.write(input, operations);
    Process process =
        new ProcessBuilder(program + "")
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .redirectOutput(report.toFile())
            .start();
    boolean hasEnded = process.waitFor(CHECK_MINUTES, TimeUnit.MINUTES);
    process.destroyForcibly();
    String text = read(report);
    assertThat(hasEnded).as("the check ends; so far: %s", text).isTrue();
    assertThat(process.exitValue()).as(text).isIn(0, 1);
    return new Result(process.exitValue() == 0, text);
  }
}
