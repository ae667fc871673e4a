package gambit.core.management;

import gambit.core.feature.RelayBuilder;
import gambit.core.rate.ClientAddress;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Puts the changes of a cluster's other nodes in force, and those of this node while it follows, in
 * the order of the cluster's log. On the writer's thread.
 */
final class CommittedChanges {
  private final RelayBuilder relay;
  private final Decisions decisions;
  private final ConcurrentHashMap<String, String> texts;
  private final AuditLog audit;
  private final Consumer<AuditEntry> added;

  /**
   * Follows the tables of management.
   *
   * @param added receives the new entries of the audit log
   */
  CommittedChanges(
      RelayBuilder relay,
      Decisions decisions,
      ConcurrentHashMap<String, String> texts,
      AuditLog audit,
      Consumer<AuditEntry> added) {
    this.relay = relay;
    this.decisions = decisions;
    this.texts = texts;
    this.audit = audit;
    this.added = added;
  }

  /** Begins to follow; called during installation. */
  void follow() {
    relay.listenToRows(ManagementRows.TABLE, rows -> rows.forEach(this::decided));
    relay.listenToRows(ManagementRows.AUDIT, rows -> rows.forEach(this::audited));
  }

  private void decided(String key, Optional<byte[]> row) {
    String field = ManagementRows.field(key);
    Map<String, byte[]> rows = row.map(value -> Map.of(key, value)).orElse(Map.of());
    if (field != null) {
      texts.remove(field);
      texts.putAll(ManagementRows.texts(rows));
      relay.informationChanged();
    } else if (row.isEmpty()) {
      decisions.put(ManagementRows.subject(key), null);
    } else {
      ManagementRows.decisions(rows).forEach(this::decided);
    }
  }

  private void decided(ModerationDecision decision) {
    decisions.put(decision.subject(), decision);
    if (decision.subject() instanceof Subject.Address blocked
        && decision.verdict() == ModerationDecision.Verdict.BANNED) {
      ClientAddress address = blocked.address();
      relay.disconnect(address::equals);
    }
  }

  private void audited(String key, Optional<byte[]> row) {
    audit.changed(HexFormat.of().parseHex(key), row.orElse(null));
    row.ifPresent(value -> ManagementRows.auditEntries(Map.of(key, value)).values().forEach(added));
  }
}
