package gambit.app.clients;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A directory of Node programs, copied to a place where their packages may be installed. */
final class NodePrograms {
  private static final int TIMEOUT_MINUTES = 10;

  private final Path directory;

  /** The result of a program. */
  record Result(boolean isSuccess, String output) {}

  /**
   * Copies the programs.
   *
   * @param sources the directory with the programs; installed packages are not copied
   * @param directory the directory in which the programs run
   */
  NodePrograms(Path sources, Path directory) throws IOException {
    this.directory = directory;
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(NodePrograms::isSource).toList()) {
        Path copy = directory.resolve(sources.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, REPLACE_EXISTING);
      }
    }
  }

  private static boolean isSource(Path file) {
    return Files.isRegularFile(file) && !file.toString().contains("node_modules");
  }

  /** The reason why Node programs cannot run here; empty if they can. */
  Optional<String> missingRequirement() throws Exception {
    for (String needed : List.of("node --version", "npm view ws version")) {
      if (!run(needed.split(" ")).isSuccess()) {
        return Optional.of("`" + needed + "` fails here");
      }
    }
    return Optional.empty();
  }

  /** The same for programs that need Node 20.19, the oldest that their packages support. */
  Optional<String> missingRequirementOfLibrary() throws Exception {
    String isOlder =
        "const [a, b] = process.versions.node.split('.'); "
            + "process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)";
    Optional<String> missing = missingRequirement();
    return missing.isPresent() || run("node", "-e", isOlder).isSuccess()
        ? missing
        : Optional.of("Node is older than 20.19");
  }

  /**
   * Installs the packages that the lock file pins.
   *
   * @param more further arguments of {@code npm ci}
   */
  void install(String... more) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"));
    command.addAll(List.of(more));
    Result installation = run(command.toArray(String[]::new));
    assertThat(installation.isSuccess()).as(installation.output()).isTrue();
  }

  /** Runs a program to its end. */
  Result run(String... command) throws Exception {
    return run(Map.of(), command);
  }

  /** Runs a program to its end, with these variables in its environment. */
  Result run(Map<String, String> environment, String... command) throws Exception {
    Path output = directory.resolve("output.txt");
    ProcessBuilder program =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    program.environment().putAll(environment);
    Process process;
    try {
      process = program.start();
    } catch (IOException e) {
      return new Result(false, e.getMessage());
    }
    try {
      boolean inTime = process.waitFor(TIMEOUT_MINUTES, MINUTES);
      return new Result(inTime && process.exitValue() == 0, Files.readString(output));
    } finally {
      process.destroyForcibly();
    }
  }
}
