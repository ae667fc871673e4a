package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.app.tool.client.ReceivedMessage;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinishedGameTransferTest {
  /** So that events are soon too old for commands of a running game. */
  private static final String SHORT_FRESHNESS = "chess.max_clock_skew=15s";

  @TempDir Path first;
  @TempDir Path second;
  @TempDir Path third;
  @TempDir Path files;

  @Test
  void gameIsVerifiedAgainstOtherRelaysThatGotItByAnImportOrASync() throws Exception {
    Path file = files.resolve("game.jsonl");
    try (LocalRelay relay = LocalRelay.withControl(first, SHORT_FRESHNESS)) {
      assertThat(CommandResult.of("demo", "" + relay.uri()).status()).isZero();
      assertThat(export(first, file).status()).isZero();
      verifyAtARelayThatRepeats(
          third, file, "sync", "--data", "" + third, "--dir", "down", "" + relay.uri());
    }
    verifyAtARelayThatRepeats(second, file, "import", "--data", "" + second, "" + file);
  }

  /** The command reaches the running relay as one of another process does. */
  private void verifyAtARelayThatRepeats(Path data, Path file, String... command)
      throws IOException {
    List<String> events = Files.readAllLines(file);
    Event game =
        events.stream()
            .map(line -> ReceivedMessage.parseEvent(line).orElseThrow())
            .filter(event -> event.content().equals("gameisfound"))
            .findFirst()
            .orElseThrow();
    try (LocalRelay relay = LocalRelay.withControl(data, SHORT_FRESHNESS)) {
      Path copy = files.resolve("copy.jsonl");
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofSeconds(4))
          .untilAsserted(
              () -> {
                CommandResult.of(command);
                assertThat(export(data, copy).status()).isZero();
                assertThat(Files.readAllLines(copy)).containsAll(events);
              });
      CommandResult verified =
          CommandResult.of("verify", "--relay", "" + relay.uri(), game.id().hex());
      assertThat(verified.status()).as(verified.output()).isZero();
      assertThat(verified.output()).contains("Referee " + Nip19.npub(game.pubkey()));
    }
  }

  private static CommandResult export(Path data, Path file) {
    return CommandResult.of("export", "--data", "" + data, "" + file);
  }
}
