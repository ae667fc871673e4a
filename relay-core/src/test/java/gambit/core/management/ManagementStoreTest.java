package gambit.core.management;

import static gambit.core.management.ManagedRelay.body;
import static gambit.core.testkit.AdminCalls.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.management.AuditLog.AuditEntry;
import gambit.core.management.Decisions.ModerationDecision;
import gambit.core.management.Decisions.Text;
import gambit.core.management.Decisions.Verdict;
import gambit.core.management.RowMap.Change;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.Tags;
import gambit.core.store.Transaction;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.ErrorLog;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.TestTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What of management is stored: decisions, texts and the audit log. */
class ManagementStoreTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final String ALICE_HEX = ALICE.pubkey().hex();
  private static final String BOB_HEX = Keys.of("bob").pubkey().hex();

  @Test
  void everyKindOfDecisionIsInForceAfterARestart() {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    Event note;
    String decisions;
    try (ManagedRelay relay = new ManagedRelay(store);
        Client client = relay.relay.connect()) {
      note = client.publishAccepted(Keys.of("bob").sign(relay.relay.now(), 1, Tags.NONE, "x"));
      relay.call("banpubkey", ALICE_HEX, "spam");
      relay.call("banevent", note.id().hex());
      relay.call("disallowkind", 7);
      relay.call("blockip", "198.51.100.7");
      relay.call("blockip", "2001:db8::");
      relay.call("allowpubkey", Keys.of("carol").pubkey().hex());
      relay.call("changerelayname", "Renamed");
      decisions = relay.operator("decisions").toString();
    }
    try (ManagedRelay relay = new ManagedRelay(store);
        Client client = relay.relay.connect()) {
      assertThat(relay.operator("decisions").toString()).isEqualTo(decisions);
      long now = relay.relay.now();
      assertThat(client.answerTo(ALICE.sign(now, 1, Tags.NONE, "y"))).startsWith("blocked: ");
      assertThat(client.answerTo(note)).startsWith("blocked: ");
      assertThat(client.answerTo(Keys.of("bob").sign(now, 7, Tags.NONE, "+")))
          .startsWith("blocked: ");
      assertThat(relay.call("listblockedips")).hasSize(2);
      assertThat(relay.relay.information().get("name").asText()).isEqualTo("Renamed");
      assertThat(relay.operator("audit").get("result")).hasSize(7);
    }
  }

  @Test
  void changesAreInTheAuditLogWithTheirAuthorsTheNewestFirst() {
    try (ManagedRelay relay = new ManagedRelay()) {
      relay.call("banpubkey", ALICE_HEX, "spam");
      relay.operator("unbanpubkey", ALICE_HEX);
      relay.operator("unbanpubkey", ALICE_HEX); // changes nothing
      relay.call("listbannedpubkeys");
      JsonNode log = relay.operator("audit").get("result");
      assertThat(log).hasSize(2);
      assertThat(log.get(0).get("by").asText()).isEqualTo("operator");
      assertThat(log.get(0).get("action").asText()).isEqualTo("unbanpubkey");
      assertThat(log.get(1).get("by").asText()).isEqualTo(Nip19.npub(AdminCalls.ADMIN.pubkey()));
      assertThat(log.get(1).get("action").asText()).isEqualTo("banpubkey");
      assertThat(log.get(1).get("target").asText()).isEqualTo(Nip19.npub(ALICE.pubkey()));
      assertThat(log.get(1).get("reason").asText()).isEqualTo("spam");
      assertThat(log.get(1).get("at").asLong()).isEqualTo(relay.relay.now());
      assertThat(relay.operator("audit", 1).get("result")).hasSize(1);
    }
  }

  @Test
  void auditLogKeepsTheNewestEntries() {
    AuditLog log = new AuditLog(Map.of());
    for (long number = 1; number <= AuditLog.MAX; number++) {
      add(log, entry("x"));
    }
    List<Change<?, ?>> changes = log.add(entry("next"));
    assertThat(changes)
        .extracting(change -> change.value() == null)
        .containsExactly(false, true); // the new one is set, the oldest one is removed
    changes.forEach(Change::apply);
    List<Map.Entry<String, AuditEntry>> kept = log.newest(Integer.MAX_VALUE);
    assertThat(kept).hasSize(AuditLog.MAX);
    assertThat(kept.get(0).getValue()).isEqualTo(entry("next"));
    assertThat(AuditLog.number(kept.get(0).getKey())).isEqualTo(AuditLog.MAX + 1);
    assertThat(AuditLog.number(kept.get(AuditLog.MAX - 1).getKey())).isEqualTo(2);
  }

  @Test
  void entriesThatTwoNodesHaveNumberedAlikeAreBothKept() {
    AuditLog log = new AuditLog(Map.of());
    Row ofOther = new AuditLog(Map.of()).add(entry("y")).get(0).row();
    add(log, entry("x"));
    log.changed(key(ofOther), Optional.ofNullable(ofOther.value()));
    assertThat(log.newest(9))
        .extracting(Map.Entry::getValue)
        .containsExactlyInAnyOrder(entry("x"), entry("y"));
    assertThat(AuditLog.number(key(log.add(entry("z")).get(0).row()))).isEqualTo(2);
  }

  @Test
  void entryWhoseKeyHasNoChecksumIsReadAndRemoved() {
    Row row = new AuditLog(Map.of()).add(entry("x")).get(0).row();
    String key = key(row).substring(0, 2 * Long.BYTES);
    AuditLog log = new AuditLog(Map.of(key, Objects.requireNonNull(row.value())));
    assertThat(log.newest(9)).containsExactly(Map.entry(key, entry("x")));
    log.changed(key, Optional.empty());
    assertThat(log.newest(9)).isEmpty();
  }

  @Test
  void rowsOfFormerVersionsAreRead() {
    String json = "{\"verdict\":\"banned\",\"reason\":\"spam\",\"at\":7,\"by\":\"operator\"}";
    Decisions decisions =
        new Decisions(
            Map.of(
                "6b0001", json.getBytes(StandardCharsets.UTF_8),
                "746e616d65", "{\"text\":\"Renamed\"}".getBytes(StandardCharsets.UTF_8)));
    assertThat(decisions.bySubject.values())
        .containsExactly(
            Map.entry(
                new Subject.OneKind(1),
                new ModerationDecision(Verdict.BANNED, 7, "operator", "spam")));
    assertThat(decisions.texts.values()).containsExactly(Map.entry("name", new Text("Renamed")));
  }

  private static AuditEntry entry(String target) {
    return new AuditEntry(1, "operator", "banpubkey", target, "", "");
  }

  private static void add(AuditLog log, AuditEntry entry) {
    log.add(entry).forEach(Change::apply);
  }

  private static String key(Row row) {
    return HexFormat.of().formatHex(row.key());
  }

  @Test
  void changeThatCannotBeStoredHasNoEffect() {
    FaultyStore store = new FaultyStore();
    try (ManagedRelay relay = new ManagedRelay(store);
        Client client = relay.relay.connect();
        ErrorLog log = ErrorLog.capture()) {
      relay.call("banpubkey", BOB_HEX, "spam");
      relay.call("blockip", "198.51.100.7");
      relay.call("changerelaydescription", "Set before");
      String decisions = relay.operator("decisions").toString();
      store.setRowsFail(true);
      for (String lifts : List.of("unbanpubkey", "allowpubkey")) {
        assertThat(relay.error(lifts, BOB_HEX)).contains("could not be stored");
      }
      assertThat(relay.error("unblockip", "198.51.100.7")).contains("could not be stored");
      assertThat(relay.error("changerelaydescription", "")).contains("could not be stored");
      assertThat(relay.error("banpubkey", ALICE_HEX)).contains("could not be stored");
      assertThat(relay.error("changerelayname", "Other")).contains("could not be stored");
      assertThat(log.messages()).isNotEmpty();
      store.setRowsFail(false);
      client.publishAccepted(ALICE.sign(relay.relay.now(), 1, Tags.NONE, "x"));
      assertThat(client.answerTo(Keys.of("bob").sign(relay.relay.now(), 1, Tags.NONE, "x")))
          .startsWith("blocked: ");
      assertThat(relay.operator("decisions").toString()).isEqualTo(decisions);
      assertThat(relay.relay.information().get("name").asText()).isEqualTo("Test");
      assertThat(relay.relay.information().get("description").asText()).isEqualTo("Set before");
      assertThat(relay.operator("audit").get("result")).hasSize(3);
    }
  }

  @Test
  void loginOfAChangeCannotBeUsedAgainAfterARestart() {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    String body = body("banpubkey", ALICE_HEX);
    String login; // dated ahead, so that it is valid for two minutes
    try (ManagedRelay relay = new ManagedRelay(store)) {
      Tags tags = AdminCalls.tags(TestRelay.URL, "POST", body);
      login = header(AdminCalls.ADMIN.sign(relay.relay.now() + 60, 27_235, tags, ""));
      assertThat(relay.post(body, login).statusCode()).isEqualTo(200);
      relay.call("unbanpubkey", ALICE_HEX);
    }
    try (ManagedRelay relay = new ManagedRelay(store, TestTime.START.plusSeconds(110))) {
      assertThat(relay.post(body, login).body()).contains("used before");
      assertThat(relay.call("listbannedpubkeys")).isEmpty();
    }
  }

  @Test
  void unreadableRowKeepsTheRelayFromStarting() throws IOException {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    try (Transaction transaction = store.begin()) {
      transaction.putRow(Decisions.TABLE, new byte[] {'k', 0, 1}, new byte[] {'{', '}'});
      transaction.commit();
    }
    assertThatThrownBy(() -> new ManagedRelay(store))
        .isInstanceOf(UnreadableRows.class)
        .hasMessage("The row 6b0001 of management is unreadable");
  }
}
