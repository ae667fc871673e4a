package gambit.app.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Programs for Python, with the packages that {@code requirements.txt} pins, in an environment of
 * their own.
 */
final class PythonPrograms extends CopiedPrograms {
  /** The command that runs Python in that environment. */
  static final String PYTHON = "venv/bin/python";

  private static final String IS_NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 11))";

  /**
   * Copies the programs.
   *
   * @param sources the directory with the programs
   * @param directory the directory in which the programs run
   */
  PythonPrograms(Path sources, Path directory) throws IOException {
    super(sources, directory);
  }

  /**
   * Makes the environment; returns the reason why Python programs cannot run here, if there is one.
   */
  Optional<String> missingRequirement() throws Exception {
    List<List<String>> needed =
        List.of(
            List.of("python3", "-c", IS_NEW_ENOUGH),
            List.of("python3", "-m", "venv", "venv"),
            List.of(PYTHON, "-m", "pip", "-q", "download", "--no-deps", "-d", "probe", "pip"));
    for (List<String> command : needed) {
      if (!run(command.toArray(String[]::new)).isSuccess()) {
        return Optional.of("`" + String.join(" ", command) + "` fails here");
      }
    }
    return Optional.empty();
  }

  /** Installs the packages; Python compiles what is used of them. */
  void install() throws Exception {
    installBy(PYTHON, "-m", "pip", "install", "-q", "--no-compile", "-r", "requirements.txt");
  }
}
