package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.JesterMessage.Turn;
import gambit.chess.rules.Move;
import gambit.chess.session.jester.JesterLine;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Games of kind 30 in files. */
class JesterTransferTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");

  @TempDir Path first;
  @TempDir Path second;
  @TempDir Path files;

  private static List<Event> moves(int plies) {
    return JesterLine.moves(ALICE, BOB, Instant.now().getEpochSecond() - 1000, plies);
  }

  private Path file(List<Event> events) throws IOException {
    return Files.write(
        files.resolve("events.jsonl"), events.stream().map(Event::toString).toList());
  }

  private static void run(String command, Path data, Path file) {
    CommandResult result = CommandResult.of(command, "--data", "" + data, "" + file);
    assertThat(result.status()).as(result.errors()).isZero();
  }

  private static String recordsOf(JesterLine line) {
    return "{\"kinds\":[64],\"#e\":[\"" + line.id() + "\"]}";
  }

  private static void awaitRecord(Client client, JesterLine line) {
    await().until(() -> client.queryIds(recordsOf(line)).size() == 1);
  }

  /** Events that have waited are judged one after the other. */
  private static void awaitPly(Client client, JesterLine line, int ply) {
    String states = "{\"kinds\":[20302],\"#d\":[\"" + line.id() + "\"],\"limit\":1}";
    await()
        .until(
            () -> {
              client.send("[\"REQ\",\"states\"," + states + "]");
              List<JsonNode> found = client.until("EOSE");
              client.send("[\"CLOSE\",\"states\"]");
              return found.toString().contains("[\"ply\",\"" + ply + "\"]");
            });
  }

  @Test
  void gameThatIsImportedInAnyOrderIsRecordedAndTheRecordIsKeptByExportAndImport()
      throws Exception {
    List<Event> events = new ArrayList<>(moves(60));
    JesterLine line = JesterLine.of(events);
    events.add(line.end(BOB, "1-0", "resignation"));
    Collections.shuffle(events, new Random(1));
    Path export = files.resolve("export.jsonl");
    try (LocalRelay relay = LocalRelay.withControl(first);
        Client client = new Client(relay.uri())) {
      run("import", first, file(events));
      awaitRecord(client, line);
      run("export", first, export);
    }
    List<String> exported = Files.readAllLines(export);
    assertThat(exported).filteredOn(event -> event.contains("\"elsewhere\"")).hasSize(1);
    run("import", second, export); // the relay is stopped
    Path again = files.resolve("again.jsonl");
    run("export", second, again);
    assertThat(Files.readAllLines(again)).containsAll(exported);
  }

  @Test
  void gameThatIsImportedWhileTheRelayIsStoppedGoesOnWithItsNextMove() throws Exception {
    List<Event> events = moves(11);
    run("import", first, file(events.subList(0, 11)));
    JesterLine line = JesterLine.of(events);
    try (LocalRelay relay = new LocalRelay(first, 0);
        Client client = new Client(relay.uri())) {
      client.publishAccepted(events.get(11));
      awaitPly(client, line, 11);
      client.publishAccepted(line.end(ALICE, "0-1", "resignation"));
      awaitRecord(client, line);
    }
  }

  @Test
  void falseMoveInAFileIsRefusedByTheRunningRelayAndTheOthersAreTaken() throws Exception {
    List<Event> events = new ArrayList<>(moves(10));
    JesterLine fork = JesterLine.of(events.subList(0, 9));
    try (LocalRelay relay = LocalRelay.withControl(first);
        Client client = new Client(relay.uri())) {
      run("import", first, file(events));
      awaitPly(client, fork, 10);
      Move played = ((Turn) JesterMessage.read(events.get(9)).orElseThrow()).moves().get(8);
      Move other =
          fork.position().legalMoves().stream()
              .filter(move -> !move.equals(played))
              .findFirst()
              .orElseThrow();
      Event forked = fork.move(ALICE, other.uci());
      CommandResult result =
          CommandResult.of("import", "--data", "" + first, "" + file(List.of(forked)));
      assertThat(result.output() + result.errors())
          .contains("move 5 of white has been played: " + events.get(9).id().hex());
      assertThat(client.queryIds("{\"kinds\":[30],\"ids\":[\"" + forked.id() + "\"]}")).isEmpty();
    }
  }
}
