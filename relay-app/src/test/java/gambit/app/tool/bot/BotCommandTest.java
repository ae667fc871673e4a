package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BotCommandTest {

  @Test
  void wrongArgumentsAreReportedInASentence(@TempDir Path directory) throws Exception {
    assertWrong("--level 6: expected 1 to 5.", "--level", "6");
    assertWrong("--level 0: expected 1 to 5.", "--level", "0");
    assertWrong("--move-time 0: expected 1 to 600000 milliseconds.", "--move-time", "0");
    assertWrong(
        "--relay http://localhost: expected a ws:// or wss:// URL.", "--relay", "http://localhost");
    Path key = directory.resolve("key");
    Files.writeString(key, "1".repeat(64));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    CommandResult result = CommandResult.of("bot", "--key", key.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.errors())
        .isEqualTo("--key: " + key + " can be read by others; make it private (chmod 600).");
  }

  private static void assertWrong(String sentence, String... arguments) {
    List<String> all = new ArrayList<>(List.of("bot"));
    all.addAll(List.of(arguments));
    CommandResult result = CommandResult.of(all.toArray(String[]::new));
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.errors().lines().findFirst()).contains(sentence);
  }
}
