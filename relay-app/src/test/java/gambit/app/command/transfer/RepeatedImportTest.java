package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatedImportTest {
  private static final String ALL_KNOWN = "0 new, 300 known, 0 refused, 0 invalid lines.";

  @TempDir Path directory;

  private final List<String> events =
      IntStream.range(0, 300)
          .mapToObj(i -> Keys.of("alice").sign(1_700_000_000 + i, 1, Tags.NONE, "n" + i).toString())
          .toList();

  @Test
  void eventsOfAFileThatWasImportedAreKnownToTheRunningAndTheStoppedRelay() throws IOException {
    Path file = Files.write(directory.resolve("events.jsonl"), events);
    try (LocalRelay relay = LocalRelay.withControl(data())) {
      assertThat(importing(file)).isEqualTo("300 new, 0 known, 0 refused, 0 invalid lines.");
      assertThat(importing(file)).isEqualTo(ALL_KNOWN);
      assertThat(relay.port()).isPositive();
    }
    assertThat(importing(file)).isEqualTo(ALL_KNOWN);
  }

  @Test
  void signaturesOfKnownEventsAreNotVerifiedAgain() throws IOException {
    importing(Files.write(directory.resolve("events.jsonl"), events));
    List<String> unsigned =
        events.stream()
            .map(
                event ->
                    event.replaceFirst(
                        "\"sig\":\"[0-9a-f]*\"", "\"sig\":\"" + "0".repeat(128) + '"'))
            .toList();
    Path file = Files.write(directory.resolve("unsigned.jsonl"), unsigned);
    assertThat(importing(file)).isEqualTo(ALL_KNOWN);
  }

  private Path data() throws IOException {
    return Files.createDirectories(directory.resolve("data"));
  }

  private String importing(Path file) throws IOException {
    return CommandResult.of("import", "--data", "" + data(), "" + file).output();
  }
}
