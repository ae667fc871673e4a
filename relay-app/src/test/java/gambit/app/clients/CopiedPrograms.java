package gambit.app.clients;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;

/**
 * A directory of programs, copied to a place where the packages that they need may be installed.
 */
abstract class CopiedPrograms {
  private static final int TIMEOUT_MINUTES = 10;

  /** The directories with installed packages. */
  private static final List<String> INSTALLED = List.of("node_modules", "venv");

  private final Path directory;

  /** The result of a program. */
  record Result(boolean isSuccess, String output) {}

  /**
   * Copies the programs.
   *
   * @param sources the directory with the programs; installed packages are not copied
   * @param directory the directory in which the programs run
   */
  CopiedPrograms(Path sources, Path directory) throws IOException {
    this.directory = directory;
    Files.walkFileTree(
        sources,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
            return INSTALLED.contains(visited.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path copy = directory.resolve(sources.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, REPLACE_EXISTING);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  Path directory() {
    return directory;
  }

  /** Installs packages by a command, which is repeated twice if the registry does not answer. */
  void installBy(String... command) throws Exception {
    Result installation = run(command);
    for (int i = 0; i < 2 && !installation.isSuccess(); i++) {
      installation = run(command);
    }
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
