package gambit.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.server.nats.NatsProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files for compose are valid, and those of a cluster keep what was acknowledged. */
class ComposeFilesTest {
  private static final Path DIRECTORY = Path.of("src/packaging/compose");

  @ParameterizedTest
  @ValueSource(strings = {"compose.yaml", "cluster.yaml"})
  void fileIsValid(String file) throws Exception {
    Compose.check(file);
  }

  @Test
  void natsServersSyncEveryEntryAndTheirConfigurationIsValid() throws Exception {
    assertThat(Files.readAllLines(DIRECTORY.resolve("nats.conf")))
        .contains("  sync_interval: always");
    ProcessBuilder builder =
        new ProcessBuilder(
                NatsProgram.path().toString(), "-t", "-c", DIRECTORY.resolve("nats.conf") + "")
            .redirectErrorStream(true);
    builder.environment().put("NATS_NAME", "nats-1");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }
}
