package gambit.app.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.app.LocalRelay;
import gambit.chess.clients.TestPlayer;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The unmodified client libraries of most clients work with the relay, each alone and each with
 * each other one, and read its reminders: {@code src/test/clients}, on Node.
 */
@ThoroughOnly
class ClientLibrariesIT {
  /** The number of events that are read in pages. */
  private static final int EVENTS = TestEffort.of(600, 10_000);

  /** The result of a scenario in TAP, with the comments that follow it. */
  private static final Pattern SCENARIO =
      Pattern.compile("(?m)^(?:not )?ok \\d+ - (.*)(?:\\n#.*)*");

  private static final String SECRET =
      "81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9"; // SHA-256 of "bob"

  private static NodePrograms node;
  private static Optional<String> lacks;

  @BeforeAll
  static void install() throws Exception {
    node = new NodePrograms(Path.of("src/test/clients"), Path.of("target/clients"));
    lacks = node.missingRequirement();
    if (lacks.isEmpty()) {
      node.install();
    }
  }

  @TestFactory
  List<DynamicTest> clientLibrariesPassEveryScenario(@TempDir Path data) throws Exception {
    if (lacks.isPresent()) {
      return List.of(skipped(lacks.get()));
    }
    String admin = Keys.of("admin").pubkey().hex();
    try (LocalRelay relay = new LocalRelay(data, 0, "management.admins=" + admin, "nips.50=true")) {
      String output = node.run("node", "scenarios.mjs", "" + relay.uri(), "" + EVENTS).output();
      List<MatchResult> scenarios = SCENARIO.matcher(output).results().toList();
      assertThat(output).as("all scenarios were run").endsWith("1.." + scenarios.size() + "\n");
      return scenarios.stream().map(ClientLibrariesIT::played).toList();
    }
  }

  private static DynamicTest played(MatchResult scenario) {
    return DynamicTest.dynamicTest(
        scenario.group(1), () -> assertThat(scenario.group()).startsWith("ok "));
  }

  /** A skipped test, because a skipped test factory would appear in no report. */
  private static DynamicTest skipped(String reason) {
    return DynamicTest.dynamicTest("no client libraries", () -> Assumptions.abort(reason));
  }

  @Test
  void librariesFindTheRelayTheTextAndTheLinksOfAReminder() throws Exception {
    lacks.ifPresent(Assumptions::abort);
    String game;
    JsonNode wrap;
    String referee;
    try (TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT));
        TestPlayer alice = new TestPlayer("alice", relay)) {
      referee = relay.signer().pubkey().hex();
      game = begin(relay, alice);
      relay.time().awaitAlarmsOf("ReminderKey", 1);
      relay.time().advance(Duration.ofMinutes(1));
      await().until(() -> relay.metrics().read("chess_reminders") == 1);
      try (Client bob = relay.connect().login(relay.now(), Keys.of("bob"))) {
        bob.send("[\"REQ\",\"mine\",{\"kinds\":[1059]}]");
        wrap = bob.until("EOSE").get(0).get(2);
      }
    }
    String output = node.run("node", "reminder.mjs", "" + wrap, SECRET).output();
    List<String> lines = output.lines().toList();
    assertThat(lines).as(output).hasSize(2);
    for (String line : lines) {
      JsonNode read = new ObjectMapper().readTree(line);
      assertThat(read.get("author").asText()).isEqualTo(referee);
      assertThat(read.get("text").asText())
          .startsWith("It is your move against nostr:npub1")
          .contains("https://gambit.example/#/game/" + game)
          .containsPattern("https://gambit.example/#/reminders/off/[0-9a-f]{96}");
    }
  }

  /** Bob, who wants reminders, accepts a slow game and leaves; Alice has White and moves. */
  private static String begin(TestRelay relay, TestPlayer alice) {
    String game;
    try (TestPlayer bob = new TestPlayer("bob", relay)) {
      List<List<String>> choice =
          List.of(List.of("d", "gambit-reminders"), List.of("p", relay.signer().pubkey().hex()));
      Event on = Keys.of("bob").sign(relay.now(), 30078, new Tags(choice), "on");
      assertThat(bob.answerTo(on)).isEqualTo("true");
      Event invite =
          alice.sign(
              5000,
              "invite",
              List.of("p", bob.pubkey()),
              List.of("color", "white"),
              List.of("time", "1/259200"));
      alice.answerTo(invite);
      bob.say(5000, "accept", List.of("e", invite.id().hex()));
      game = bob.event("gameisfound").get("id").asText();
    }
    await().until(() -> relay.metrics().read("connections") == 1);
    alice.say(5000, "cancelsearch"); // then the relay's chess knows it, too
    assertThat(alice.say(5001, "e2e4", List.of("e", game, "", "root"))).isEqualTo("true");
    return game;
  }
}
