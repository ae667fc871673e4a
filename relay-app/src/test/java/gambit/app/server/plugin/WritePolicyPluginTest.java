package gambit.app.server.plugin;

import static gambit.app.server.plugin.PluginScript.BY_CONTENT;
import static gambit.app.server.plugin.PluginScript.loop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.server.plugin.PluginSettings.OnFailure;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin decides on clients' events, over real sockets and pipes. */
class WritePolicyPluginTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int HANDLED_KIND = 20_100;

  @TempDir private Path directory;

  private static PluginSettings settings(Object command, boolean chess) {
    return new PluginSettings(command.toString(), LONG, OnFailure.CLOSED, 1000, chess);
  }

  private PluginSettings settings(String script) {
    return settings(new PluginScript(directory, script), false);
  }

  private static WritePolicyPlugin plugin(PluginSettings settings) {
    return new WritePolicyPlugin(settings);
  }

  private static Event note(TestRelay relay, String content) {
    return ALICE.sign(relay.now(), 1, Tags.NONE, content);
  }

  @Test
  void eventIsAcceptedOrRejectedOrSilentlyDroppedAsThePluginDecides() {
    try (WritePolicyPlugin plugin = plugin(settings(BY_CONTENT));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect();
        Client subscriber = relay.connect()) {
      subscriber.send("[\"REQ\",\"live\",{}]");
      subscriber.until("EOSE");
      assertThat(client.answerTo(note(relay, "bad"))).isEqualTo("blocked: a bad word");
      client.publishAccepted(note(relay, "shadow"));
      Event good = client.publishAccepted(note(relay, "good"));
      assertThat(subscriber.nextJson().get(2).get("id").asText()).isEqualTo(good.id().hex());
      assertThat(client.queryIds("{}")).containsExactly(good.id().hex());
      assertThat(relay.metrics().read("plugin_calls{decision=accept}")).isEqualTo(1);
      assertThat(relay.metrics().read("plugin_calls{decision=reject}")).isEqualTo(1);
      assertThat(relay.metrics().read("plugin_calls{decision=shadow_reject}")).isEqualTo(1);
      assertThat(relay.metrics().read("plugin_seconds_count")).isEqualTo(3);
      assertThat(relay.metrics().read("plugin_running")).isEqualTo(1);
      assertThat(relay.information().get("limitation").get("restricted_writes").asBoolean())
          .isTrue();
    }
  }

  @Test
  void requestContainsEventTimeAddressAndTheKeyOfALogin() throws IOException {
    PluginScript script =
        new PluginScript(
            directory, loop("printf '%s\\n' \"$line\" >>\"${0%/*}/requests\"; answer accept"));
    try (WritePolicyPlugin plugin = plugin(settings(script, false));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      Event first = client.publishAccepted(note(relay, "\u2028 \"quoted\" \\ \n é 🙂"));
      client.login(relay.now(), Keys.of("bob"), ALICE);
      client.publishAccepted(note(relay, "after logins"));
      List<JsonNode> requests =
          Files.readAllLines(script.beside("requests")).stream().map(Client::parse).toList();
      assertThat(requests).hasSize(2);
      JsonNode request = requests.get(0);
      assertThat(request.get("type").asText()).isEqualTo("new");
      assertThat(request.get("event")).isEqualTo(Client.parse(first.toString()));
      assertThat(request.get("receivedAt").isIntegralNumber()).isTrue();
      assertThat(request.get("receivedAt").asLong()).isBetween(relay.now() - 60, relay.now() + 60);
      assertThat(request.get("sourceType").asText()).isEqualTo("IP4");
      assertThat(request.get("sourceInfo").asText()).isEqualTo("127.0.0.1");
      assertThat(request.has("authed")).isFalse();
      assertThat(requests.get(1).get("authed").asText()).isEqualTo(ALICE.pubkey().hex());
    }
  }

  @Test
  void shellCommandHasArgumentsAndEnvironment() {
    PluginScript script =
        new PluginScript(directory, "action=$1\n" + loop("answer \"$action\" \"$TEXT\""));
    String command = "TEXT='blocked: by a variable' " + script + " reject";
    try (WritePolicyPlugin plugin = plugin(settings(command, false));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      assertThat(client.answerTo(note(relay, "note"))).isEqualTo("blocked: by a variable");
    }
  }

  @Test
  void eventsInThePipeAreStoredInTheirOrderWhateverTheOrderOfDecisions() {
    String three =
        """
        first=$id; read -r line; id=${line#*\\"id\\":\\"}; id=${id%%\\"*}
        second=$id; read -r line; id=${line#*\\"id\\":\\"}; id=${id%%\\"*}
        answer accept; id=$second; answer accept; id=$first; answer accept
        """;
    try (WritePolicyPlugin plugin = plugin(settings(loop(three)));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      Event note = note(relay, "a mistake");
      Event deletion =
          ALICE.sign(relay.now(), 5, new Tags(List.of(List.of("e", note.id().hex()))), "");
      Event third = note(relay, "third");
      List.of(note, deletion, third).forEach(client::publish);
      for (int i = 0; i < 3; i++) {
        assertThat(client.nextJson().get(3).asText()).as("a deleted event is refused").isEmpty();
      }
      assertThat(client.queryIds("{}"))
          .containsExactlyInAnyOrder(deletion.id().hex(), third.id().hex());
    }
  }

  @Test
  void linesThatAreNoAnswersAreSkipped() {
    try (WritePolicyPlugin plugin =
            plugin(settings(loop("echo; echo Hello; echo '[1]'; echo '{'; answer accept")));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      client.publishAccepted(note(relay, "one"));
      client.publishAccepted(note(relay, "two"));
      assertThat(relay.metrics().read("plugin_restarts")).isZero();
    }
  }

  @Test
  void sameEventFromTwoClientsIsDecidedTwice() {
    String pairs =
        """
        first=$id; read -r line; id=${line#*\\"id\\":\\"}; id=${id%%\\"*}
        [ "$first" = "$id" ] && answer accept && answer accept
        """;
    try (WritePolicyPlugin plugin = plugin(settings(loop(pairs)));
        TestRelay relay = new TestRelay(plugin);
        Client one = relay.connect();
        Client other = relay.connect()) {
      Event note = note(relay, "note");
      one.publish(note);
      other.publish(note);
      assertThat(List.of(one.nextJson().get(3).asText(), other.nextJson().get(3).asText()))
          .containsExactlyInAnyOrder("", "duplicate: already have this event");
    }
  }

  @Test
  void changedFileIsStartedForTheNextEvent() {
    PluginScript script = new PluginScript(directory, BY_CONTENT);
    try (WritePolicyPlugin plugin = plugin(settings(script, false));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      client.publishAccepted(note(relay, "one"));
      script.write(loop("answer reject 'blocked: changed'"));
      assertThat(client.answerTo(note(relay, "two"))).isEqualTo("blocked: changed");
      assertThat(relay.metrics().read("plugin_restarts")).isEqualTo(1);
      assertThat(relay.metrics().read("plugin_calls{decision=undecided}")).isZero();
    }
  }

  @Test
  void otherCommandReplacesThePluginOnceItHasAnswered() throws IOException {
    PluginScript slow =
        new PluginScript(
            directory, loop("while [ ! -e \"${0%/*}/go\" ]; do sleep 0.01; done; answer accept"));
    Path second = Files.createDirectory(directory.resolve("second"));
    PluginScript other = new PluginScript(second, loop("answer reject 'blocked: by another'"));
    try (WritePolicyPlugin plugin = plugin(settings(slow, false));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      client.publish(note(relay, "asked before"));
      await().until(() -> relay.metrics().read("plugin_sent") == 1);
      plugin.change(settings(other, false));
      client.publish(note(relay, "asked after"));
      Files.createFile(slow.beside("go"));
      assertThat(client.nextJson().get(3).asText()).isEmpty();
      assertThat(client.nextJson().get(3).asText()).isEqualTo("blocked: by another");
      plugin.change(new PluginSettings("", Duration.ofSeconds(5), OnFailure.CLOSED, 1000, false));
      client.publishAccepted(note(relay, "without a plugin"));
      await().until(() -> relay.metrics().read("plugin_running") == 0);
    }
  }

  @Test
  void eventsThatTheRefereeHandlesAreExemptUnlessTheSettingIncludesThem() {
    Feature referee =
        builder ->
            builder.handleEvents(
                event ->
                    event.kind() == HANDLED_KIND
                        ? Optional.of(
                            it -> builder.publisher().send(List.of(it.accepted("handled"))))
                        : Optional.empty());
    PluginScript script = new PluginScript(directory, BY_CONTENT);
    for (boolean isIncluded : List.of(false, true)) {
      try (WritePolicyPlugin plugin = plugin(settings(script, isIncluded));
          TestRelay relay = new TestRelay(referee, plugin);
          Client client = relay.connect()) {
        assertThat(client.answerTo(ALICE.sign(relay.now(), HANDLED_KIND, Tags.NONE, "bad")))
            .isEqualTo(isIncluded ? "blocked: a bad word" : "handled");
        assertThat(client.answerTo(ALICE.sign(relay.now(), HANDLED_KIND, Tags.NONE, "good")))
            .isEqualTo("handled");
      }
    }
  }

  @Test
  void startsOfKind30AreNotExempt() {
    PluginScript script = new PluginScript(directory, loop("answer reject \"$reason\""));
    try (WritePolicyPlugin plugin = plugin(settings(script, false));
        TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT), plugin);
        Client client = relay.connect()) {
      Tags tags = new Tags(List.of(List.of("e", JesterMessage.START)));
      String content = "{\"version\":\"0\",\"kind\":0,\"history\":[]}";
      assertThat(client.answerTo(ALICE.sign(relay.now(), JesterMessage.KIND, tags, content)))
          .isEqualTo("blocked: a bad word");
    }
  }

  @Test
  void eventsOfTrustedAuthorsAreExempt() {
    Feature trust = builder -> builder.trust(ALICE.pubkey()::equals);
    try (WritePolicyPlugin plugin = plugin(settings(BY_CONTENT));
        TestRelay relay = new TestRelay(trust, plugin);
        Client client = relay.connect()) {
      client.publishAccepted(note(relay, "bad"));
      assertThat(client.answerTo(Keys.of("bob").sign(relay.now(), 1, Tags.NONE, "bad")))
          .isEqualTo("blocked: a bad word");
    }
  }

  @Test
  void pluginEndsByItselfWhenItsInputEnds() {
    PluginScript script = new PluginScript(directory, BY_CONTENT + ": >\"${0%/*}/ended\"");
    try (WritePolicyPlugin plugin = plugin(settings(script, false));
        TestRelay relay = new TestRelay(plugin);
        Client client = relay.connect()) {
      client.publishAccepted(note(relay, "note"));
    }
    assertThat(script.beside("ended")).exists();
  }
}
