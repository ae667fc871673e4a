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
import gambit.core.model.Event;
import gambit.core.model.Npub;
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
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
      assertThat(log.get(1).get("by").asText()).isEqualTo(Npub.of(AdminCalls.ADMIN.pubkey()));
      assertThat(log.get(1).get("action").asText()).isEqualTo("banpubkey");
      assertThat(log.get(1).get("target").asText()).isEqualTo(Npub.of(ALICE.pubkey()));
      assertThat(log.get(1).get("reason").asText()).isEqualTo("spam");
      assertThat(log.get(1).get("at").asLong()).isEqualTo(relay.relay.now());
      assertThat(relay.operator("audit", 1).get("result")).hasSize(1);
    }
  }

  @Test
  void auditLogKeepsTheNewestEntries() {
    Map<String, byte[]> rows = new HashMap<>();
    for (long number = 1; number <= AuditLog.MAX; number++) {
      add(entry(number), rows);
    }
    AuditLog log = new AuditLog(rows);
    AuditEntry next = entry(log.nextNumber());
    assertThat(next.number()).isEqualTo(AuditLog.MAX + 1);
    List<Row> changed = log.rows(next);
    assertThat(changed)
        .extracting(row -> row.value() == null)
        .containsExactly(false, true); // the new one is set, the oldest one is removed
    changed.forEach(log::changed);
    assertThat(log.newest(Integer.MAX_VALUE)).hasSize(AuditLog.MAX).first().isEqualTo(next);
    assertThat(log.newest(Integer.MAX_VALUE).get(AuditLog.MAX - 1).number()).isEqualTo(2);
  }

  @Test
  void entriesThatTwoNodesHaveNumberedAlikeAreBothKept() {
    AuditLog log = new AuditLog(Map.of());
    AuditEntry one = new AuditEntry(1, 1, "operator", "banpubkey", "x", "", "");
    AuditEntry other = new AuditEntry(1, 1, "operator", "banpubkey", "y", "", "");
    log.changed(ManagementRows.row(one));
    log.changed(ManagementRows.row(other));
    assertThat(log.newest(9)).containsExactlyInAnyOrder(one, other);
    assertThat(log.nextNumber()).isEqualTo(2);
  }

  @Test
  void entryWhoseKeyHasNoChecksumIsReadAndRemoved() {
    Row row = ManagementRows.row(entry(1));
    String key = HexFormat.of().formatHex(row.key(), 0, Long.BYTES);
    AuditLog log = new AuditLog(Map.of(key, Objects.requireNonNull(row.value())));
    assertThat(log.newest(9)).containsExactly(entry(1));
    log.changed(new Row(ManagementRows.AUDIT, HexFormat.of().parseHex(key), null));
    assertThat(log.newest(9)).isEmpty();
  }

  private static AuditEntry entry(long number) {
    return new AuditEntry(number, 1, "operator", "banpubkey", "x", "", "");
  }

  private static void add(AuditEntry entry, Map<String, byte[]> rows) {
    Row row = ManagementRows.row(entry);
    rows.put(HexFormat.of().formatHex(row.key()), row.value());
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
      transaction.putRow(ManagementRows.TABLE, new byte[] {'k', 0, 1}, new byte[] {'{', '}'});
      transaction.commit();
    }
    assertThatThrownBy(() -> new ManagedRelay(store))
        .isInstanceOf(UnreadableRows.class)
        .hasMessage("The row 6b0001 of management is unreadable");
  }
}
