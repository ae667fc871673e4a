package gambit.app.command.management;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The commands against the running program, in one process with it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // with one relay
class ManagementCommandsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final String ALICE_NPUB = Nip19.npub(ALICE.pubkey());

  @TempDir static Path data;

  private LocalRelay relay;
  private Client client;

  @BeforeAll
  void begin() {
    relay = LocalRelay.withControl(data, "admission.refused_kinds=4242");
    client = new Client(relay.uri());
  }

  @AfterAll
  void end() {
    client.close();
    relay.close();
  }

  private CommandResult run(String command, String... arguments) {
    String[] all = new String[arguments.length + 3];
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    all[0] = command;
    all[1] = "--data";
    all[2] = data.toString();
    return CommandResult.of(all);
  }

  private String output(String command, String... arguments) {
    CommandResult result = run(command, arguments);
    assertThat(result.errors()).isEmpty();
    assertThat(result.status()).isZero();
    return result.output();
  }

  private String error(String command, String... arguments) {
    CommandResult result = run(command, arguments);
    assertThat(result.status()).isEqualTo(1);
    return result.errors();
  }

  private static Event note(Signer author, String text) {
    return author.sign(System.currentTimeMillis() / 1000, 1, Tags.NONE, text);
  }

  @Test
  void banIsInForceAtOnceIsListedAndIsLifted() {
    assertThat(output("ban", ALICE_NPUB, "--reason", "spam")).isEqualTo("Banned: " + ALICE_NPUB);
    assertThat(client.answerTo(note(ALICE, "banned"))).startsWith("blocked: ");
    assertThat(output("bans"))
        .containsPattern("banned {2}" + ALICE_NPUB + " {2}\\S+Z {2}by operator: spam")
        .contains("The settings have admission.refused_kinds: 4242");
    assertThat(output("unban", ALICE_NPUB)).isEqualTo("Lifted: " + ALICE_NPUB);
    client.publishAccepted(note(ALICE, "not banned"));
    assertThat(output("audit", "--max", "2"))
        .containsPattern("(?s)operator {2}lift {2}" + ALICE_NPUB + ".*operator {2}banpubkey {2}");
    assertThat(error("unban", ALICE_NPUB)).isEqualTo("There is no decision on " + ALICE_NPUB + ".");
  }

  @Test
  void eventKindAndAddressAreBannedByTheirNotations() {
    Event note = client.publishAccepted(note(BOB, "an event"));
    output("ban", note.id().hex());
    assertThat(client.queryIds("{\"ids\":[\"" + note.id().hex() + "\"]}")).isEmpty();
    assertThat(client.answerTo(note)).startsWith("blocked: ");
    output("unban", note.id().hex()); // although it is not stored any more
    client.publishAccepted(note);
    Event other = client.publishAccepted(note(BOB, "by its author's key"));
    output("ban", BOB.pubkey().hex());
    assertThat(client.answerTo(note(BOB, "banned"))).startsWith("blocked: ");
    assertThat(client.queryIds("{\"ids\":[\"" + other.id().hex() + "\"]}")).hasSize(1);
    output("allow", BOB.pubkey().hex());
    output("ban", "7");
    assertThat(client.answerTo(ALICE.sign(note.createdAt(), 7, Tags.NONE, "+")))
        .startsWith("blocked: ");
    output("allow", "7");
    client.publishAccepted(ALICE.sign(note.createdAt(), 7, Tags.NONE, "+"));
    output("ban", "203.0.113.7");
    output("ban", "2001:db8::1");
    assertThat(output("bans")).contains("address 203.0.113.7", "address 2001:db8:0:0:0:0:0:0/64");
    output("unban", "2001:db8::");
    assertThat(output("bans")).doesNotContain("2001:db8");
    assertThat(output("manage", "listblockedips"))
        .isEqualTo("[{\"ip\":\"203.0.113.7\",\"reason\":\"\"}]");
  }

  @Test
  void whatCannotBeDecidedIsRefusedInASentence() {
    assertThat(error("ban", "a".repeat(64))).contains("write it as npub or note");
    assertThat(error("ban", "somebody")).startsWith("somebody: expected npub, ");
    assertThat(error("ban", "70000")).contains("a kind (0 to 65535)");
    assertThat(error("ban", "127.0.0.1")).startsWith("This machine");
    assertThat(error("allow", "203.0.113.7")).startsWith("An address can only be banned");
    assertThat(error("allow", "4242")).contains("admission.refused_kinds of the relay's settings");
    assertThat(error("unban", "4242")).contains("admission.refused_kinds of the relay's settings");
    assertThat(error("manage", "createcastle", "1")).startsWith("This relay does not support");
    assertThat(run("ban").status()).isEqualTo(2);
  }

  @Test
  void reportsAreListedUntilTheyAreDecidedOn() {
    assertThat(output("reports")).isEqualTo("No reports.");
    Event note = client.publishAccepted(note(Keys.of("carol"), "reported"));
    Tags tags = new Tags(List.of(List.of("e", note.id().hex(), "spam")));
    client.publishAccepted(ALICE.sign(note.createdAt(), 1984, tags, ""));
    assertThat(output("reports"))
        .startsWith(Nip19.note(note.id()) + "  1 reporter: spam 1  (last ")
        .endsWith("  by " + ALICE_NPUB);
    output("allow", note.id().hex());
    assertThat(output("reports")).isEqualTo("No reports.");
  }

  @Test
  void nameOfDigitsIsATextAndAKindIsANumber() {
    output("manage", "changerelayname", "2048");
    assertThat(output("bans")).contains("relay.name is replaced by: 2048");
    output("manage", "changerelayname", "");
    output("manage", "disallowkind", "2048");
    assertThat(output("manage", "listdisallowedkinds")).contains("2048");
    output("manage", "allowkind", "2048");
  }

  @Test
  void decisionsAreInForceAfterARestart() {
    output("ban", Nip19.npub(Keys.of("dave").pubkey()));
    output("manage", "changerelayname", "Renamed");
    end();
    begin();
    assertThat(client.answerTo(note(Keys.of("dave"), "banned"))).startsWith("blocked: ");
    assertThat(Client.httpRequest("GET", relay.uri(), "application/nostr+json").body())
        .contains("\"name\":\"Renamed\"");
    assertThat(output("bans")).contains("relay.name is replaced by: Renamed");
    output("manage", "changerelayname", "");
    assertThat(output("bans")).doesNotContain("Renamed");
  }

  @Test
  void callNeedsTheTokenOfTheControlFile() throws Exception {
    String url = Files.readString(data.resolve("control")).split(" ", -1)[0];
    for (String authorization : List.of("", "Bearer " + "0".repeat(64))) {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create(url).resolve("/control/management").toURL().openConnection();
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Authorization", authorization);
      assertThat(connection.getResponseCode()).isEqualTo(401);
    }
  }

  @Test
  void withoutARunningRelayTheDirectoryIsNamed(@TempDir Path empty) {
    CommandResult result = CommandResult.of("bans", "--data", empty.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.errors()).startsWith("--data: no relay is running with " + empty);
  }
}
