package gambit.core.management;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue of reports (NIP-56). */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class ReportsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Signer CAROL = Keys.of("carol");
  private static final Signer DAVE = Keys.of("dave");

  private final ManagedRelay relay = new ManagedRelay();
  private final Client client = relay.relay.connect();
  private Event note = Keys.of("alice").sign(0, 1, Tags.NONE, "");

  @BeforeEach
  void publish() {
    note = client.publishAccepted(ALICE.sign(relay.relay.now(), 1, Tags.NONE, "reported"));
  }

  @AfterEach
  void end() {
    client.close();
    relay.close();
  }

  private void report(Signer reporter, List<List<String>> tags) {
    client.publishAccepted(reporter.sign(relay.relay.now(), 1984, new Tags(tags), "a text"));
  }

  private void reportNote(Signer reporter, String... type) {
    report(reporter, List.of(tag("e", note.id().hex(), type), List.of("p", ALICE.pubkey().hex())));
  }

  private static List<String> tag(String name, String value, String... type) {
    return type.length == 0 ? List.of(name, value) : List.of(name, value, type[0]);
  }

  private JsonNode queue() {
    return relay.operator("reports").get("result");
  }

  private JsonNode forAdmins() {
    return relay.call("listeventsneedingmoderation");
  }

  @Test
  void reportsOfAnEventAreCountedByReporterAndType() {
    reportNote(BOB, "spam");
    reportNote(CAROL, "illegal");
    reportNote(DAVE, "spam");
    assertThat(queue()).hasSize(1);
    assertThat(queue().get(0).get("subject").asText()).isEqualTo(Nip19.note(note.id()));
    assertThat(queue().get(0).get("summary").asText()).isEqualTo("3 reporters: spam 2, illegal 1");
    assertThat(queue().get(0).get("reporters"))
        .extracting(JsonNode::asText)
        .containsExactlyInAnyOrder(
            Nip19.npub(BOB.pubkey()), Nip19.npub(CAROL.pubkey()), Nip19.npub(DAVE.pubkey()));
    assertThat(forAdmins().toString())
        .isEqualTo(
            "[{\"id\":\"" + note.id().hex() + "\",\"reason\":\"3 reporters: spam 2, illegal 1\"}]");
  }

  @Test
  void reporterWhoRepeatsHimselfCountsOnce() {
    reportNote(BOB, "spam");
    reportNote(BOB, "illegal");
    assertThat(queue().get(0).get("summary").asText()).startsWith("1 reporter: ");
  }

  @Test
  void unknownAndMissingTypesCountAsOther() {
    reportNote(BOB, "boring");
    reportNote(CAROL);
    assertThat(queue().get(0).get("summary").asText()).isEqualTo("2 reporters: other 2");
  }

  @Test
  void reportOfAFileIsAboutTheEventThatHasItWithTheTypeOfTheFile() {
    report(
        BOB,
        List.of(
            List.of("x", "a".repeat(64), "malware"),
            List.of("e", note.id().hex()),
            List.of("p", ALICE.pubkey().hex())));
    assertThat(queue().get(0).get("summary").asText()).isEqualTo("1 reporter: malware 1");
  }

  @Test
  void reportWithoutAnEventIsAboutTheAuthor() {
    report(BOB, List.of(List.of("p", ALICE.pubkey().hex(), "impersonation")));
    assertThat(queue().get(0).get("subject").asText()).isEqualTo(Nip19.npub(ALICE.pubkey()));
    assertThat(queue().get(0).get("summary").asText()).isEqualTo("1 reporter: impersonation 1");
    assertThat(forAdmins()).isEmpty();
  }

  @Test
  void reportedEventComesWithItsAuthorAndWhatTheReportersSay() {
    reportNote(BOB, "spam");
    reportNote(CAROL, "spam");
    JsonNode reported = queue().get(0);
    assertThat(reported.get("type").asText()).isEqualTo("event");
    assertThat(reported.get("id").asText()).isEqualTo(note.id().hex());
    assertThat(reported.get("author").asText()).isEqualTo(ALICE.pubkey().hex());
    assertThat(reported.get("event").toString()).isEqualTo(note.toString());
    assertThat(reported.get("reasons"))
        .extracting(JsonNode::asText)
        .containsExactly("a text", "a text");
    assertThat(relay.call("reports", 1)).hasSize(1);
    assertThat(relay.error("reports", 0)).isNotEmpty();
  }

  @Test
  void reportedAuthorComesWithTheProfile() {
    report(BOB, List.of(List.of("p", ALICE.pubkey().hex(), "spam")));
    assertThat(queue().get(0).has("event")).isFalse();
    Event profile =
        client.publishAccepted(ALICE.sign(relay.relay.now(), 0, Tags.NONE, "{\"name\":\"A\"}"));
    assertThat(queue().get(0).get("type").asText()).isEqualTo("author");
    assertThat(queue().get(0).get("author").asText()).isEqualTo(ALICE.pubkey().hex());
    assertThat(queue().get(0).get("event").toString()).isEqualTo(profile.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 1059})
  void messageForItsRecipientOnlyIsListedButNotShown(int kind) {
    Tags recipient = new Tags(List.of(List.of("p", CAROL.pubkey().hex())));
    note = client.publishAccepted(ALICE.sign(relay.relay.now(), kind, recipient, "secret"));
    reportNote(CAROL, "spam");
    assertThat(queue()).hasSize(1);
    assertThat(queue().toString()).contains(note.id().hex()).doesNotContain("secret");
  }

  @Test
  void longEventIsNotShownAndLongReasonsAreCut() {
    note = client.publishAccepted(ALICE.sign(relay.relay.now(), 1, Tags.NONE, "x".repeat(40_000)));
    client.publishAccepted(
        BOB.sign(
            relay.relay.now(),
            1984,
            new Tags(List.of(List.of("e", note.id().hex(), "spam"))),
            "y".repeat(1000)));
    assertThat(queue().get(0).has("event")).isFalse();
    assertThat(queue().get(0).get("author").asText()).isEqualTo(ALICE.pubkey().hex());
    assertThat(queue().get(0).get("reasons").get(0).asText()).hasSize(300);
  }

  @Test
  void whatMostHaveReportedComesFirst() {
    report(BOB, List.of(List.of("p", ALICE.pubkey().hex(), "spam")));
    reportNote(CAROL, "spam");
    reportNote(DAVE, "spam");
    assertThat(queue())
        .extracting(it -> it.get("subject").asText())
        .containsExactly(Nip19.note(note.id()), Nip19.npub(ALICE.pubkey()));
  }

  @Test
  void bannedEventLeavesTheQueue() {
    reportNote(BOB, "illegal");
    relay.operator("banevent", note.id().hex());
    assertThat(queue()).isEmpty();
  }

  @Test
  void allowedEventLeavesTheQueueAndFurtherReportsDoNotBringItBack() {
    reportNote(BOB, "spam");
    relay.call("allowevent", note.id().hex());
    reportNote(CAROL, "spam");
    assertThat(queue()).isEmpty();
    assertThat(forAdmins()).isEmpty();
    assertThat(client.queryIds("{\"kinds\":[1]}")).containsExactly(note.id().hex());
  }

  @Test
  void bannedAuthorLeavesTheQueue() {
    report(BOB, List.of(List.of("p", ALICE.pubkey().hex(), "spam")));
    relay.call("banpubkey", ALICE.pubkey().hex());
    assertThat(queue()).isEmpty();
  }

  @Test
  void reportsOfBannedAuthorsDoNotCount() {
    reportNote(BOB, "spam");
    relay.call("banpubkey", BOB.pubkey().hex());
    assertThat(queue()).isEmpty();
  }

  @Test
  void reportsOfWhatIsNotStoredHereAndMalformedOnesAreNotListed() {
    report(BOB, List.of(List.of("e", "a".repeat(64), "spam")));
    report(BOB, List.of(List.of("p", "b".repeat(64), "spam")));
    report(BOB, List.of(List.of("e", "x", "spam"), List.of("p")));
    report(BOB, List.of());
    assertThat(queue()).isEmpty();
  }

  @Test
  void manyReportsOfWhatIsNotStoredHereHideNothing() {
    for (int i = 0; i < 26; i++) {
      List<List<String>> unknown = new ArrayList<>();
      for (int j = 0; j < 20; j++) {
        unknown.add(List.of("e", String.format("%064x", 20 * i + j), "spam"));
      }
      report(BOB, unknown);
      report(CAROL, unknown);
    }
    reportNote(DAVE, "illegal");
    assertThat(queue())
        .extracting(it -> it.get("subject").asText())
        .containsExactly(Nip19.note(note.id()));
  }

  @Test
  void reportsAreOrdinaryEventsThatEverybodyCanRead() {
    reportNote(BOB, "spam");
    assertThat(client.queryIds("{\"kinds\":[1984]}")).hasSize(1);
  }
}
