package gambit.core.management;

import gambit.core.feature.Row;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The last {@value #MAX} changes. Thread-safe: the lane of management makes changes, and the writer
 * adds those that another node of the cluster has made.
 */
final class AuditLog {
  static final int MAX = 10_000;

  private final ConcurrentNavigableMap<String, AuditEntry> entries =
      new ConcurrentSkipListMap<>(); // by the keys of their rows, which begin with the number

  /**
   * A change that somebody has made ({@link Call.Caller#name}), with its number among all changes
   * of this relay, from 1, and its time in seconds of Unix time; the login is the id of the event
   * that has authorized it (NIP-98), empty for a command. Immutable.
   */
  record AuditEntry(
      long number, long at, String by, String action, String target, String reason, String login) {}

  AuditLog(Map<String, byte[]> rows) {
    entries.putAll(ManagementRows.auditEntries(rows));
  }

  long nextNumber() {
    Map.Entry<String, AuditEntry> last = entries.lastEntry();
    return last == null ? 1 : last.getValue().number() + 1;
  }

  /** The rows that store the next entry, and remove the oldest beyond the bound. */
  List<Row> rows(AuditEntry next) {
    List<Row> rows = new ArrayList<>(List.of(ManagementRows.row(next)));
    int surplus = entries.size() + 1 - MAX;
    if (surplus > 0) {
      entries.keySet().stream()
          .limit(surplus)
          .map(HexFormat.of()::parseHex)
          .forEach(key -> rows.add(new Row(ManagementRows.AUDIT, key, null)));
    }
    return rows;
  }

  /** Follows a committed row; one of another table is ignored. */
  void changed(Row row) {
    String key = HexFormat.of().formatHex(row.key());
    if (row.table().equals(ManagementRows.AUDIT) && row.value() == null) {
      entries.remove(key);
    } else if (row.table().equals(ManagementRows.AUDIT)) {
      entries.putAll(ManagementRows.auditEntries(Map.of(key, row.value())));
    }
  }

  List<AuditEntry> newest(int max) {
    return entries.descendingMap().values().stream().limit(max).toList();
  }
}
