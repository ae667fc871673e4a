package gambit.app;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs for Node, copied to where their packages may be installed. */
final class Node {
  private static final int PATIENCE_MINUTES = 10;

  private final Path directory;

  /** How a program has ended. */
  record Ended(boolean well, String output) {}

  /**
   * Copies the programs.
   *
   * @param sources what stands there is copied, and not what is in directories below
   * @param directory where they are to run
   */
  Node(Path sources, Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory);
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, directory.resolve(file.getFileName()), REPLACE_EXISTING);
      }
    }
  }

  /** Why nothing can be run here, if so. */
  Optional<String> lacks() throws Exception {
    for (String needed : List.of("node --version", "npm view ws version")) {
      if (!run(needed.split(" ")).well()) {
        return Optional.of("`" + needed + "` fails here");
      }
    }
    return Optional.empty();
  }

  /** Installs the packages that the lock file pins. */
  void install() throws Exception {
    Ended installation = run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
    assertThat(installation.well()).as(installation.output()).isTrue();
  }

  /** Runs a program to its end. */
  Ended run(String... command) throws Exception {
    Path output = directory.resolve("output.txt");
    ProcessBuilder program =
        new ProcessBuilder(command)
            .directory(directory.toFile())
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
