package gambit.app.bot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BotCommandTest {

  private static String failure(String... arguments) {
    StringWriter errors = new StringWriter();
    CommandLine command = new CommandLine(new BotCommand());
    command.setErr(new PrintWriter(errors));
    assertThat(command.execute(arguments)).isEqualTo(1);
    return errors.toString().strip();
  }

  @Test
  void wrongArgumentsAreReportedInASentence(@TempDir Path directory) throws Exception {
    assertThat(failure("--level", "6")).isEqualTo("--level must be between 1 and 5.");
    assertThat(failure("--level", "0")).isEqualTo("--level must be between 1 and 5.");
    assertThat(failure("--move-time", "0"))
        .isEqualTo("--move-time must be between 1 ms and 10 minutes.");
    assertThat(failure("--relay", "http://localhost"))
        .isEqualTo("--relay: http://localhost is not a ws or wss URL.");
    Path key = directory.resolve("key");
    Files.writeString(key, "1".repeat(64));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(failure("--key", key.toString()))
        .isEqualTo("--key: " + key + " can be read by others; make it private (chmod 600).");
  }
}
