package gambit.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.GambitProcess;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the documentation, run as a reader would. */
@ThoroughOnly
class ExamplesIT {
  private static final Pattern GAME = Pattern.compile("has found a game: ([0-9a-f]{64})");

  /** The Python example, once its packages are installed. */
  private static @Nullable PythonPrograms installed;

  @Test
  void gamesOfTheExampleClientPassVerification(@TempDir Path data) throws Exception {
    // The example takes the library from its place in the repository, where the build has compiled
    // it.
    Path copy = Path.of("target/examples-repository");
    Path library = Path.of("../clients/gambit-client");
    NodePrograms node =
        new NodePrograms(Path.of("../docs/examples"), copy.resolve("docs/examples"));
    node.missingRequirementOfLibrary().ifPresent(Assumptions::abort);
    Assumptions.assumeTrue(
        Files.exists(library.resolve("dist")), "clients/gambit-client was not built");
    new NodePrograms(library, copy.resolve("clients/gambit-client"));
    node.install();
    try (GambitProcess relay = GambitProcess.relay(data)) {
      playAll(node, "" + relay.url(), "node", "play.mjs");
    }
  }

  @Test
  void gamesOfThePythonExamplePassVerification(@TempDir Path data) throws Exception {
    PythonPrograms python = pythonPrograms();
    try (GambitProcess relay = GambitProcess.relay(data, "--set", "chess.require_relay_tag=true")) {
      playAll(python, "" + relay.url(), PythonPrograms.PYTHON, "play.py");
    }
  }

  /** Everything before the login is refused with {@code auth-required}, and sent again after it. */
  @Test
  void pythonExamplePlaysWhereLoginsAreRequired(@TempDir Path data) throws Exception {
    PythonPrograms python = pythonPrograms();
    try (GambitProcess relay = GambitProcess.relay(data, "--set", "chess.require_auth=true")) {
      finishes(
          python,
          "" + relay.url(),
          "1-0, checkmate, plies: 7",
          PythonPrograms.PYTHON,
          "play.py",
          "" + relay.url(),
          "mate");
    }
  }

  private static PythonPrograms pythonPrograms() throws Exception {
    if (installed == null) {
      PythonPrograms python =
          new PythonPrograms(Path.of("../docs/examples"), Path.of("target/examples-python"));
      python.missingRequirement().ifPresent(Assumptions::abort);
      python.install();
      installed = python;
    }
    return installed;
  }

  private static void playAll(CopiedPrograms programs, String url, String language, String program)
      throws Exception {
    finishes(programs, url, "1-0, checkmate, plies: 7", language, program, url, "mate");
    finishes(programs, url, "1/2-1/2, agreement, plies: 4", language, program, url, "draw");
    finishes(programs, url, "1-0, resignation, plies: 3", language, program, url, "resign");
  }

  private static void finishes(CopiedPrograms programs, String url, String how, String... command)
      throws Exception {
    CopiedPrograms.Result played = programs.run(command);
    assertThat(played.isSuccess()).as(played.output()).isTrue();
    assertThat(played.output()).contains("[TimeControl \"300+3\"]", how.split(",", 2)[0] + "\n");
    Matcher game = GAME.matcher(played.output());
    assertThat(game.find()).as(played.output()).isTrue();
    CommandResult verify = CommandResult.of("verify", game.group(1), "--relay", url);
    assertThat(verify.status()).isZero();
    assertThat(verify.output()).contains(how).doesNotContain("they do not", "do not say");
  }
}
