package gambit.app.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Programs for Node. */
final class NodePrograms extends CopiedPrograms {
  /**
   * Copies the programs.
   *
   * @param sources the directory with the programs; installed packages are not copied
   * @param directory the directory in which the programs run
   */
  NodePrograms(Path sources, Path directory) throws IOException {
    super(sources, directory);
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
   * Uses the packages that the build has installed for the page in another directory, which has the
   * same lock file; false if it has not.
   */
  boolean linkPackagesOf(Path other) throws IOException {
    Path installed = other.resolve("node_modules").toAbsolutePath().normalize();
    Path link = directory().resolve("node_modules");
    if (Files.isSymbolicLink(link)) {
      Files.delete(link);
    }
    if (Files.exists(link) || !Files.exists(installed.resolve(".package-lock.json"))) {
      return false;
    }
    Files.createSymbolicLink(link, installed);
    return true;
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
    installBy(command.toArray(String[]::new));
  }
}
