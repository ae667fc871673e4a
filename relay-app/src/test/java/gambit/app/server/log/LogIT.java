package gambit.app.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.app.FreePort;
import gambit.app.GambitProcess;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.ThoroughOnly;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of the program, from its start to its end, in both formats. */
class LogIT {
  private static final Signer MALLORY = Keys.of("mallory");

  /** What a client sends to write lines of its own into the log. */
  private static final String FORGED =
      "\n2026-11-22T22:03:16.123Z ERROR [main] Gambit forged\r\n\u001b[2J";

  private static final Pattern TEXT_LINE =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(?:Z|[+-]\\d\\d:\\d\\d) (?:INFO |WARN |ERROR)"
              + " \\[[\\w -]+\\] (\\w+) (.*)");

  @TempDir Path temp;

  @ThoroughOnly
  @Test
  void aHostileClientNeitherFloodsTheLogNorForgesLines() throws Exception {
    Path data = temp.resolve("data");
    Files.createDirectories(data);
    Files.writeString(data.resolve("gambit.conf"), "log.slow_query = 1us\n");
    int requests = 3_000;
    int answered = 200;
    try (GambitProcess relay = GambitProcess.relay(data)) {
      try (Client mallory = new Client(relay.url())) {
        String challenge = mallory.nextChallenge();
        for (int i = 0; i < requests; i++) {
          mallory.send("[\"REQ\",\"q" + FORGED.replace("\n", "\\n").replace("\r", "") + "\",{}]");
          mallory.send("[\"REQ\",\"q\",{\"#t\":[\"" + i + " marker\"],\"limit\":1}]");
          if (i < answered) {
            mallory.until("EOSE"); // a query that is replaced before its turn is not logged
          }
        }
        for (int i = 0; i < 200; i++) {
          long now = System.currentTimeMillis() / 1000;
          String url = "wss://evil" + i + ".example" + (i % 2 == 0 ? "" : "/" + FORGED);
          mallory.publish(MALLORY.sign(now, 1, new Tags(List.of(List.of("t", FORGED))), FORGED));
          mallory.send("[\"AUTH\"," + Client.loginEvent(MALLORY, now, url, challenge) + "]");
        }
        mallory.send("[\"COUNT\",\"last\",{}]").until("COUNT");
      }
      relay.terminate();
      assertThat(relay.exitStatus()).isZero();
      List<String> lines = relay.errors().lines().toList();
      assertThat(lines).allSatisfy(line -> assertThat(line).matches(TEXT_LINE));
      assertThat(lines).noneMatch(line -> line.contains("forged") || line.contains("marker"));
      assertThat(lines).hasSizeLessThan(50);
      String all = String.join("\n", lines);
      assertThat(lines.get(0)).contains(" Main Gambit ", " starts: ", "" + data.toRealPath());
      assertThat(lines.get(0)).contains("gambit.conf");
      assertThat(all)
          .containsPattern("Ready after \\d+ ms: listens on ws://localhost:\\d+ as ")
          .containsPattern("SlowQueries Slow query: REQ of 127\\.0\\.0\\.1 worked for ")
          .containsPattern("Left out \\d{3,} lines like this one: Slow query")
          .containsOnlyOnce("A client tried to log in under wss://evil")
          .containsPattern("Shut down in \\d+ ms$");
      assertThat(lines.stream().filter(line -> line.contains(" Slow query: "))).hasSizeLessThan(40);
    }
  }

  @Test
  void everyLineOfALogInJsonIsAnObjectWithTimeLevelAndMessage() throws Exception {
    int port = FreePort.any();
    try (GambitProcess relay =
        GambitProcess.run(
            "--port",
            "" + port,
            "--metrics-port",
            "0",
            "--data",
            "" + temp.resolve("data"),
            "--set",
            "log.format=json",
            "--set",
            "log.levels.gambit.core.session=debug",
            "--set",
            "log.slow_query=1us")) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> relay.errorsSoFar().contains("Ready after "));
      try (Client client = new Client(URI.create("ws://localhost:" + port))) {
        client.send("[\"REQ\",\"a\",{\"kinds\":[1]}]").until("EOSE");
      }
      relay.terminate();
      assertThat(relay.exitStatus()).isZero();
      List<JsonNode> lines = new ArrayList<>();
      for (String line : relay.errors().lines().toList()) {
        lines.add(parse(line));
      }
      assertThat(lines)
          .allSatisfy(
              line -> {
                OffsetDateTime.parse(line.path("time").asText());
                assertThat(line.path("level").asText()).isIn("INFO", "WARN");
              })
          .extracting(line -> line.path("message").asText().replaceAll("[ :].*", ""))
          .containsSubsequence("Gambit", "Ready", "Slow", "Shutting", "Shut");
      assertThat(relay.output()).as("no banner between the objects").isEmpty();
    }
  }

  private static JsonNode parse(String line) {
    try {
      return new ObjectMapper().readTree(line);
    } catch (JsonProcessingException e) {
      throw new AssertionError(line, e);
    }
  }
}
