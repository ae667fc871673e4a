package gambit.app.tool.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.app.common.PrivateFile;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code gambit sync} of a stopped relay, whose data are on the disk. */
class SyncCommandTest {
  @TempDir Path data;

  private CommandResult sync(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "sync";
    all[1] = "--data";
    all[2] = data.toString();
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return CommandResult.of(all);
  }

  @Test
  void aStoppedRelayExchangesEventsAndServesThemWhenItRuns() throws Exception {
    Event theirs = Keys.of("alice").sign(1_700_000_000, 1, Tags.NONE, "theirs");
    Event ours = Keys.of("bob").sign(Instant.now().getEpochSecond(), 1, Tags.NONE, "ours");
    try (LocalRelay here = new LocalRelay(data, 0);
        Client client = new Client(here.uri())) {
      client.publishAccepted(ours);
    }
    try (TestRelay there =
            new TestRelay(
                LimitValues.DEFAULT, new MemoryEventStore(64 << 20), InstantSource.system());
        Client operator = there.connectOperator()) {
      operator.publishAccepted(theirs);
      CommandResult result = sync(there.uri().toString());
      assertThat(result.errors()).isEmpty();
      assertThat(result.output())
          .isEqualToNormalizingNewlines(
              "down: 1 events: 1 stored, 0 known, 0 refused, 0 not served\n"
                  + "up:   1 events: 1 stored, 0 known, 0 refused, 0 not served");
      assertThat(result.status()).isZero();
      assertThat(operator.queryIds("{}"))
          .containsExactlyInAnyOrder(theirs.id().hex(), ours.id().hex());
      assertThat(sync(there.uri().toString(), "--dir", "down").output())
          .isEqualTo("down: 0 events: 0 stored, 0 known, 0 refused, 0 not served");
    }
    try (LocalRelay here = new LocalRelay(data, 0);
        Client client = new Client(here.uri())) {
      assertThat(client.queryIds("{}"))
          .containsExactlyInAnyOrder(theirs.id().hex(), ours.id().hex());
    }
  }

  @Test
  void theKeyOfAFileLogsInAtTheOtherRelay(@TempDir Path keys) throws Exception {
    byte[] secret = Signer.randomSecret();
    Path key = keys.resolve("login.key");
    PrivateFile.create(key, HexFormat.of().formatHex(secret));
    List<JsonNode> logins = new CopyOnWriteArrayList<>();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            List.of("[\"AUTH\",\"a challenge\"]"),
            message -> {
              if (!message.path(0).asText().equals("AUTH")) {
                return SyncRunTest.withoutEvents(message);
              }
              logins.add(message.path(1));
              return List.of(
                  "[\"OK\",\"%s\",true,\"\"]".formatted(message.path(1).path("id").asText()));
            })) {
      CommandResult result = sync(peer.url().toString(), "--key", key.toString());
      assertThat(result.errors()).isEmpty();
      assertThat(logins).hasSize(1);
      assertThat(logins.get(0).path("pubkey").asText())
          .isEqualTo(new Signer(secret).pubkey().hex());
      assertThat(logins.get(0).path("tags").toString())
          .contains("[\"challenge\",\"a challenge\"]", "[\"relay\",\"" + peer.url() + "\"]");
    }
  }

  @Test
  void aRelayThatCannotBeReachedIsNamed() {
    CommandResult result = sync("ws://127.0.0.1:1/");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.errors())
        .isEqualTo("Cannot connect to ws://127.0.0.1:1/: is the relay running there?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://a.example                             | URL http://a.example: expected a ws:// or wss:// URL.",
        "ws://a.example --dir sideways                | --dir sideways: expected up, down or both.",
        "ws://a.example --rate -1                     | --rate -1: expected a number of events from 0 to 1000000.",
        "ws://a.example --filter {\"limit\":1}        | --filter: expected a filter without a limit.",
        "ws://a.example --key /no/such/file           | --key /no/such/file: there is no such file.",
      })
  void wrongUsageIsNamed(String arguments, String fault) {
    CommandResult result = sync(arguments.split(" "));
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.errors()).startsWith(fault);
  }
}
