package gambit.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.GambitProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the documentation, run on Node as a reader would. */
class ExamplesIT {
  private static final Pattern GAME = Pattern.compile("has found a game: ([0-9a-f]{64})");

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
      finishes(node, "mate", "" + relay.url(), "1-0, checkmate, plies: 7");
      finishes(node, "draw", "" + relay.url(), "1/2-1/2, agreement, plies: 4");
      finishes(node, "resign", "" + relay.url(), "1-0, resignation, plies: 3");
    }
  }

  private static void finishes(NodePrograms node, String ending, String url, String how)
      throws Exception {
    NodePrograms.Result played = node.run("node", "play.mjs", url, ending);
    assertThat(played.isSuccess()).as(played.output()).isTrue();
    assertThat(played.output()).contains("[TimeControl \"300+3\"]", how.split(",", 2)[0] + "\n");
    Matcher game = GAME.matcher(played.output());
    assertThat(game.find()).as(played.output()).isTrue();
    CommandResult verify = CommandResult.of("verify", game.group(1), "--relay", url);
    assertThat(verify.status()).isZero();
    assertThat(verify.output()).contains(how).doesNotContain("they do not", "do not say");
  }
}
