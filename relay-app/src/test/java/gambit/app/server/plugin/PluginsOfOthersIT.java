package gambit.app.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.GambitProcess;
import gambit.core.crypto.Signer;
import gambit.core.feature.AsyncEventGate.Refused;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.ThoroughOnly;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plugins decide on events in the pipe as they do one by one, which is how strfry asks them: those
 * in {@code src/test/plugins}, which read lines as Python and Node do, and the commands of others
 * in the variable {@code WRITE_POLICY_PLUGINS}, separated by semicolons. They must not count
 * events.
 */
@ThoroughOnly
class PluginsOfOthersIT {
  private static final int EVENTS = 300;
  private static final List<Signer> AUTHORS =
      List.of(Keys.of("alice"), Keys.of("bob"), Keys.of("carol"));

  @TestFactory
  Stream<DynamicTest> pluginDecidesOnEventsInThePipeAsOneByOne(@TempDir Path data) {
    Path ours = Path.of("src/test/plugins").toAbsolutePath();
    String others = Optional.ofNullable(System.getenv("WRITE_POLICY_PLUGINS")).orElse("").strip();
    Stream<DynamicTest> tests =
        Stream.of(
            test("python3", "python3 " + ours.resolve("short-notes.py"), data.resolve("python")),
            test("node", "node " + ours.resolve("short-notes.mjs"), data.resolve("node")));
    Stream<DynamicTest> more =
        Stream.of(others.split(";"))
            .filter(command -> !command.isBlank())
            .map(command -> test("sh", command.strip(), data.resolve("" + command.hashCode())));
    return Stream.concat(tests, more);
  }

  private static DynamicTest test(String interpreter, String command, Path data) {
    return DynamicTest.dynamicTest(
        command,
        () -> {
          Assumptions.assumeTrue(isThere(interpreter), interpreter + " is not installed");
          List<Event> events = events();
          Map<String, String> expected = decideOneByOne(command, events);
          try (GambitProcess relay =
                  GambitProcess.relay(
                      data, "--set", "plugin.command=" + command, "--set", "plugin.timeout=1m");
              Client client = new Client(relay.url())) {
            assertThat(decideInThePipe(client, events)).isEqualTo(expected);
          }
        });
  }

  private static boolean isThere(String interpreter) throws InterruptedException {
    try {
      return new ProcessBuilder("sh", "-c", "command -v " + interpreter).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static List<Event> events() {
    long now = Instant.now().getEpochSecond();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      String text = i % 3 == 0 ? "a note that is rather long, spammy, é 🙂 \n \"" + i : "note " + i;
      events.add(AUTHORS.get(i % AUTHORS.size()).sign(now, i % 5 == 0 ? 7 : 1, Tags.NONE, text));
    }
    return events;
  }

  /** The OK of each event: its reason, or an empty text. */
  private static Map<String, String> decideInThePipe(Client client, List<Event> events) {
    events.forEach(client::publishWithoutWaiting);
    Map<String, String> decisions = new LinkedHashMap<>();
    events.forEach(event -> decisions.put(event.id().hex(), "no answer"));
    for (int i = 0; i < events.size(); i++) {
      JsonNode ok = client.nextJson();
      assertThat(ok.get(0).asText()).isEqualTo("OK");
      assertThat(decisions.put(ok.get(1).asText(), ok.get(3).asText())).isEqualTo("no answer");
    }
    return decisions;
  }

  /** What the plugin answers if it is asked as strfry does: one event, then its answer. */
  private static Map<String, String> decideOneByOne(String command, List<Event> events)
      throws IOException, PluginFailure {
    Process process =
        new ProcessBuilder("/bin/sh", "-c", command)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Map<String, String> decisions = new LinkedHashMap<>();
    try (OutputStream input = process.getOutputStream();
        BufferedReader output =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (Event event : events) {
        String request =
            "{\"type\":\"new\",\"event\":"
                + event
                + ",\"receivedAt\":"
                + event.createdAt()
                + ",\"sourceType\":\"IP4\",\"sourceInfo\":\"127.0.0.1\"}\n";
        input.write(request.getBytes(StandardCharsets.UTF_8));
        input.flush();
        String line = output.readLine();
        assertThat(line).as("answer").isNotNull();
        PluginAnswer answer = PluginAnswer.read(line).orElseThrow();
        assertThat(answer.id()).isEqualTo(event.id().hex());
        decisions.put(
            answer.id(),
            answer.verdict() instanceof Refused refused ? refused.reason().toString() : "");
      }
    } finally {
      process.destroyForcibly();
    }
    return decisions;
  }
}
