package gambit.app.server.plugin;

import static gambit.app.server.plugin.PluginScript.BY_CONTENT;
import static gambit.app.server.plugin.PluginScript.loop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.server.plugin.PluginSettings.OnFailure;
import gambit.core.crypto.Signer;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A plugin that misbehaves is ended and started again, and its events are decided without it. */
class HostilePluginTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final String FAILED =
      "error: the relay's policy plugin does not work, try again later";
  private static final String BUSY = "error: the relay's policy plugin is busy, try again later";
  private static final Duration SHORT = Duration.ofMillis(800);

  /** For plugins that answer, however slow the machine is. */
  private static final Duration LONG = Duration.ofMinutes(2);

  /** Runs the rest of a script only the first time. */
  private static final String ONCE = "mkdir \"${0%/*}/once\" 2>/dev/null && ";

  @TempDir private Path directory;

  private PluginSettings settings(String script, OnFailure onFailure) {
    return settings(new PluginScript(directory, script), onFailure);
  }

  private static PluginSettings settings(PluginScript script, OnFailure onFailure) {
    return new PluginSettings(script.toString(), SHORT, onFailure, 100, false);
  }

  private static PluginSettings patient(PluginSettings settings) {
    return new PluginSettings(
        settings.command(), LONG, settings.onFailure(), settings.queue(), settings.chess());
  }

  private static WritePolicyPlugin plugin(PluginSettings settings) {
    return new WritePolicyPlugin(settings);
  }

  private static long running(TestRelay relay) {
    return relay.metrics().read("plugin_running");
  }

  private static Event note(TestRelay relay, String content) {
    return ALICE.sign(relay.now(), 1, Tags.NONE, content);
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of("never answers", ONCE + "exec sleep 1000\n"),
        Arguments.of("reads and never answers", ONCE + "cat >/dev/null\n"),
        Arguments.of("ends at once", ONCE + "exit 3\n"),
        Arguments.of("ends at the first event", ONCE + "read -r line && exit 0\n"),
        Arguments.of("closes its output", ONCE + "exec sleep 1000 >&-\n"),
        Arguments.of("answers without ends of lines", ONCE + "{ printf '{'; sleep 1000; }\n"),
        Arguments.of("writes an endless line", ONCE + "exec tr '\\0' x </dev/zero\n"),
        Arguments.of("writes garbage for ever", ONCE + "exec yes garbage\n"),
        Arguments.of(
            "answers for an unknown event",
            ONCE + "{ read -r line; echo '{\"id\":\"1\",\"action\":\"accept\"}'; sleep 1000; }\n"),
        Arguments.of(
            "answers unasked",
            ONCE + "{ echo '{\"id\":\"1\",\"action\":\"accept\"}'; sleep 1000; }\n"),
        Arguments.of(
            "answers with an unknown action",
            "if mkdir \"${0%/*}/once\" 2>/dev/null; then\n" + loop("answer maybe") + "fi\n"),
        Arguments.of(
            "answers without an action", ONCE + "{ read -r line; echo '{}'; sleep 1000; }\n"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void faultyPluginIsStartedAgainAndItsEventsAreDecidedWithoutIt(String name, String fault) {
    PluginSettings settings = settings(fault + BY_CONTENT, OnFailure.CLOSED);
    try (WritePolicyPlugin plugin = plugin(settings);
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> relay.metrics().read("plugin_restarts") + running(relay) > 0);
      assertThat(client.answerTo(note(relay, "first"))).isIn(FAILED, "");
      plugin.change(patient(settings)); // the fault is over
      await().until(() -> client.answerTo(note(relay, "good " + System.nanoTime())).isEmpty());
      assertThat(client.answerTo(note(relay, "bad"))).isEqualTo("blocked: a bad word");
      // It may have had to answer the first event while it was being started.
      assertThat(relay.metrics().read("plugin_restarts")).isBetween(1L, 2L);
      assertThat(running(relay)).isEqualTo(1);
    }
  }

  @Test
  void silentPluginIsTimedOutAndItsEventsAreAcceptedIfItFailsOpen() {
    try (WritePolicyPlugin plugin = plugin(settings("exec sleep 1000\n", OnFailure.OPEN));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> running(relay) == 1);
      Event note = client.publishAccepted(note(relay, "bad"));
      assertThat(client.queryIds("{}")).containsExactly(note.id().hex());
      assertThat(relay.metrics().read("plugin_timeouts")).isEqualTo(1);
      assertThat(relay.metrics().read("plugin_calls{decision=undecided}")).isEqualTo(1);
    }
  }

  @Test
  void pluginThatEndsAgainAndAgainIsStartedLessAndLessOftenAndEventsDoNotWaitForIt() {
    PluginScript script = new PluginScript(directory, "exit 1\n");
    try (WritePolicyPlugin plugin = plugin(patient(settings(script, OnFailure.CLOSED)));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> relay.metrics().read("plugin_restarts") >= 2);
      assertThat(client.answerTo(note(relay, "while it waits"))).isEqualTo(FAILED);
      script.write(BY_CONTENT);
      await().until(() -> client.answerTo(note(relay, "n" + System.nanoTime())).isEmpty());
      assertThat(relay.metrics().read("plugin_restarts")).isLessThan(8);
    }
  }

  @Test
  void missingProgramIsReportedAndStartedOnceItExists() throws IOException {
    PluginScript script = new PluginScript(directory, BY_CONTENT);
    Path file = Path.of(script.toString());
    try (WritePolicyPlugin plugin = plugin(patient(settings(script, OnFailure.CLOSED)));
        TestRelay relay = new TestRelay(plugin)) {
      try (Client client = relay.connect()) {
        client.publishAccepted(note(relay, "the shell has read its script"));
        Files.delete(file);
        client.publishAccepted(note(relay, "the running process stays"));
      }
    }
    try (WritePolicyPlugin plugin =
            plugin(new PluginSettings(file.toString(), SHORT, OnFailure.CLOSED, 100, false));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> relay.metrics().read("plugin_restarts") >= 1);
      script.write(BY_CONTENT);
      await().until(() -> client.answerTo(note(relay, "n" + System.nanoTime())).isEmpty());
    }
  }

  @Test
  void fullQueueIsAnsweredAtOnce() {
    PluginScript script = new PluginScript(directory, "exec sleep 1000\n");
    PluginSettings settings =
        new PluginSettings(script.toString(), LONG, OnFailure.CLOSED, 5, false);
    try (WritePolicyPlugin plugin = plugin(settings);
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> running(relay) == 1);
      for (int sent = 1; sent <= PluginRequests.MAX_SENT; sent++) {
        client.publish(note(relay, "sent " + sent));
        int count = sent;
        await().until(() -> relay.metrics().read("plugin_sent") == count);
      }
      for (int i = 0; i < 5; i++) {
        client.publish(note(relay, "waiting " + i));
      }
      assertThat(client.answerTo(note(relay, "beyond"))).isEqualTo(BUSY);
      assertThat(relay.metrics().read("plugin_waiting")).isEqualTo(5);
      plugin.change(new PluginSettings("exec cat >/dev/null", SHORT, OnFailure.OPEN, 5, false));
      for (int i = 0; i < PluginRequests.MAX_SENT + 5; i++) {
        assertThat(client.nextJson().get(3).asText()).isEmpty();
      }
    }
  }

  @Test
  void clientThatFillsTheQueueOfASlowPluginTakesNoDecisionFromAnother() throws IOException {
    PluginScript script =
        new PluginScript(
            directory,
            "while [ ! -e \"${0%/*}/go\" ]; do sleep 0.05; done\n"
                + loop("echo \"$id\" >>\"${0%/*}/asked\"; answer reject \"$reason\""));
    PluginSettings settings =
        new PluginSettings(script.toString(), LONG, OnFailure.OPEN, 100, false);
    try (WritePolicyPlugin plugin = plugin(settings);
        TestRelay relay = new TestRelay(plugin);
        Client flood = relay.connect();
        Client calm = relay.connect()) {
      await().until(() -> running(relay) == 1);
      for (int i = 0; i < PluginRequests.MAX_SENT; i++) {
        flood.publish(note(relay, "sent " + i));
      }
      await().until(() -> relay.metrics().read("plugin_sent") == PluginRequests.MAX_SENT);
      for (int i = 0; i < 100 + 5; i++) {
        flood.publish(note(relay, "waiting " + i));
      }
      await().until(() -> relay.metrics().read("plugin_calls{decision=undecided}") == 5);
      Event note = note(relay, "calm");
      calm.publish(note);
      await().until(() -> relay.metrics().read("plugin_calls{decision=undecided}") == 6);
      assertThat(relay.metrics().read("plugin_waiting")).isEqualTo(100);

      Files.createFile(directory.resolve("go"));
      assertThat(calm.nextJson().get(3).asText()).isEqualTo("blocked: a bad word");
      assertThat(Files.readAllLines(script.beside("asked")).indexOf(note.id().hex()))
          .as("its turn comes after one event of the flood")
          .isEqualTo(PluginRequests.MAX_SENT + 1);
      List<String> answers =
          Stream.generate(() -> flood.nextJson().get(3).asText())
              .limit(PluginRequests.MAX_SENT + 100 + 5)
              .toList();
      assertThat(answers).filteredOn(String::isEmpty).as("decided by on_failure").hasSize(6);
    }
  }

  @Test
  void eventsDoNotWaitForTheirTurnLongerThanTheTimeout() throws IOException {
    PluginScript slow =
        new PluginScript(directory, loop("[ -e \"${0%/*}/go\" ] || sleep 0.3; answer accept"));
    PluginSettings settings =
        new PluginSettings(slow.toString(), Duration.ofSeconds(3), OnFailure.CLOSED, 100, false);
    try (WritePolicyPlugin plugin = plugin(settings);
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      int events = PluginRequests.MAX_SENT + 20;
      for (int i = 0; i < events; i++) {
        client.publish(note(relay, "note " + i));
      }
      await().until(() -> relay.metrics().read("plugin_calls{decision=undecided}") > 0);
      Files.createFile(directory.resolve("go"));
      List<String> answers =
          Stream.generate(() -> client.nextJson().get(3).asText()).limit(events).toList();
      assertThat(answers).containsOnly("", BUSY);
      assertThat(relay.metrics().read("plugin_timeouts")).as("it is slow, not silent").isZero();
    }
  }

  @Test
  void pluginThatReadsNothingCannotHoldMoreThanItsPipe() {
    try (WritePolicyPlugin plugin = plugin(settings("exec sleep 1000\n", OnFailure.CLOSED));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      for (int i = 0; i < 4; i++) {
        client.publish(note(relay, i + "x".repeat(100_000)));
      }
      for (int i = 0; i < 4; i++) {
        assertThat(client.nextJson().get(3).asText()).isEqualTo(FAILED);
      }
    }
  }

  @Test
  void childrenOfThePluginEndWithIt() throws IOException {
    PluginScript script =
        new PluginScript(
            directory,
            "sleep 1000 & echo $! >\"${0%/*}/child\"\n"
                + "(sleep 1000 & echo $! >\"${0%/*}/grandchild\")\n"
                + BY_CONTENT);
    try (WritePolicyPlugin plugin = plugin(settings(script, OnFailure.CLOSED));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> client.answerTo(note(relay, "n" + System.nanoTime())).isEmpty());
    }
    assertIsEnded(script.beside("child"));
    assertIsEnded(script.beside("grandchild"));
  }

  @Test
  void endOfThePluginIsNoticedWhileAChildHasItsOutput() throws IOException {
    PluginScript script =
        new PluginScript(
            directory,
            ONCE + "{ sleep 1000 & echo $! >\"${0%/*}/child\"; exit 0; }\n" + BY_CONTENT);
    try (WritePolicyPlugin plugin = plugin(patient(settings(script, OnFailure.CLOSED)));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> client.answerTo(note(relay, "n" + System.nanoTime())).isEmpty());
      assertIsEnded(script.beside("child"));
    }
  }

  /** Otherwise, each restart would leave behind a process, two files and three threads. */
  @Test
  void childThatHasLeftTheGroupOfThePluginAndKeepsItsOutputEndsWithIt() throws IOException {
    PluginScript script =
        new PluginScript(
            directory,
            ONCE
                + "{ (setsid sleep 1000 & echo $! >\"${0%/*}/child\"); read -r line; exit 0; }\n"
                + BY_CONTENT);
    try (WritePolicyPlugin plugin = plugin(settings(script, OnFailure.CLOSED));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> client.answerTo(note(relay, "n" + System.nanoTime())).isEmpty());
      assertIsEnded(script.beside("child"));
    }
  }

  @Test
  void lastWordsOfAPluginWithoutAnEndOfLineAreLogged() {
    String failing = ONCE + "{ printf 'no database' >&2; exit 1; }\n" + BY_CONTENT;
    try (ClassLog log = ClassLog.withInfo(PluginProcess.class);
        WritePolicyPlugin plugin = plugin(settings(failing, OnFailure.CLOSED));
        TestRelay relay = new TestRelay(plugin)) {
      await().until(() -> relay.metrics().read("plugin_restarts") == 1);
      await().until(() -> log.messages().contains("The write policy plugin reports: no database"));
    }
  }

  private static void assertIsEnded(Path pidFile) throws IOException {
    long pid = Long.parseLong(Files.readString(pidFile).strip());
    await()
        .until(
            () ->
                !Files.exists(Path.of("/proc/" + pid))
                    || Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z "));
  }

  @Test
  void pluginThatIgnoresTheEndOfItsInputIsEndedAfterAMoment() throws IOException {
    PluginScript script =
        new PluginScript(
            directory,
            "echo $$ >\"${0%/*}/pid\"; trap '' TERM HUP INT\n"
                + BY_CONTENT
                + "\nwhile :; do sleep 1000; done");
    try (WritePolicyPlugin plugin = plugin(settings(script, OnFailure.CLOSED));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> client.answerTo(note(relay, "n" + System.nanoTime())).isEmpty());
    }
    assertIsEnded(script.beside("pid"));
  }

  @Test
  void floodOfErrorsIsLoggedInAFewLinesAndDelaysNothing() {
    try (ClassLog log = ClassLog.withInfo(PluginProcess.class);
        WritePolicyPlugin plugin =
            plugin(patient(settings("yes trouble >&2 &\n" + BY_CONTENT, OnFailure.CLOSED)));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      await().until(() -> client.answerTo(note(relay, "n" + System.nanoTime())).isEmpty());
      await().until(() -> log.messages().contains("The write policy plugin reports: trouble"));
      for (int i = 0; i < 20; i++) {
        client.publishAccepted(note(relay, "note " + i));
      }
      LimitedLog.reportOmissions(true);
      assertThat(log.messages())
          .hasSizeLessThan(30)
          .anyMatch(line -> line.matches("Left out \\d+ lines like this one: .* reports: .*"));
    }
  }
}
