package gambit.app.tool.verify;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.GambitProcess;
import gambit.app.LocalRelay;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gambit verify} as it is shipped. */
class VerifyCommandIT {

  @Test
  void theGameOfTheDemonstrationPassesVerification(@TempDir Path data) throws Exception {
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      CommandResult demo = CommandResult.of("demo", "" + relay.uri());
      assertThat(demo.status()).as(demo.errors()).isZero();
      String game =
          demo.output()
              .lines()
              .filter(line -> line.startsWith("  game  "))
              .findFirst()
              .orElseThrow();
      try (GambitProcess verify =
          GambitProcess.run(
              "verify", game.strip().substring(4).strip(), "--relay", "" + relay.uri())) {
        assertThat(verify.exitStatus()).isZero();
        assertThat(verify.errors()).isEmpty();
        assertThat(verify.output())
            .startsWith("Game ")
            .contains("1-0, checkmate, plies: 33")
            .endsWith("Everything holds.");
      }
    }
  }

  @Test
  void anUnreachableRelayIsReported() {
    CommandResult verify =
        CommandResult.of("verify", "0".repeat(64), "--relay", "ws://localhost:1");
    assertThat(verify.status()).isEqualTo(2);
    assertThat(verify.errors())
        .isEqualTo("Cannot connect to ws://localhost:1: is the relay running there?");
  }
}
