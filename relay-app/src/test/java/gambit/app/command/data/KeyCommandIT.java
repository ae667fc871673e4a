package gambit.app.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.app.Tmux;
import gambit.core.model.Nip19;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gambit key} of the packaged jar in a real terminal. */
class KeyCommandIT {
  private static final String HEX = "0f".repeat(32);

  @TempDir private Path directory;

  @Test
  void keyThatIsTypedInATerminalIsImportedAndNotShown() throws IOException {
    Assumptions.assumeTrue(Tmux.isInstalled(), "tmux is not installed");
    Path data = directory.resolve("data");
    List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\"; echo status $?; exec cat"));
    command.add("sh");
    command.addAll(
        GambitProcess.command(GambitProcess.quick(), "key", "import", "--data", "" + data));
    String nsec = Nip19.nsec(HexFormat.of().parseHex(HEX));
    try (Tmux tmux = new Tmux()) {
      Tmux.Terminal terminal =
          tmux.open("import", 250, 30, command)
              .await("Secret key (nsec or hex), which is not shown:");
      terminal.enter(nsec).await("Imported npub1", "status 0").enter("after").await("after");
      assertThat(terminal.text()).doesNotContain(nsec.substring(0, 10));
    }
    assertThat(data.resolve("relay.key")).hasContent(HEX);
  }
}
