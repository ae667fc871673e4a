package gambit.core.management;

import gambit.core.feature.Row;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The last {@value #MAX} changes. Thread-safe: the lane of management makes changes, and the writer
 * adds those that another node of the cluster has made.
 */
final class AuditLog {
  /** The most entries; beyond that, the oldest is removed. */
  static final int MAX = 10_000;

  private final ConcurrentNavigableMap<String, AuditEntry> entries =
      new ConcurrentSkipListMap<>(); // by the keys of their rows, which begin with the number

  /** The log of the rows of its table. */
  AuditLog(Map<String, byte[]> rows) {
    entries.putAll(ManagementRows.auditEntries(rows));
  }

  /** The number of the next entry. */
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
          .forEach(key -> rows.add(ManagementRows.withoutAuditEntry(key)));
    }
    return rows;
  }

  /** Follows committed rows; those of other tables are ignored. */
  void changed(List<Row> rows) {
    for (Row row : rows) {
      if (row.table().equals(ManagementRows.AUDIT)) {
        changed(row.key(), row.value());
      }
    }
  }

  /** Follows a committed row of its table. */
  void changed(byte[] key, byte @Nullable [] value) {
    String hex = HexFormat.of().formatHex(key);
    if (value == null) {
      entries.remove(hex);
    } else {
      entries.putAll(ManagementRows.auditEntries(Map.of(hex, value)));
    }
  }

  /** The newest entries, the newest first. */
  List<AuditEntry> newest(int max) {
    return entries.descendingMap().values().stream().limit(max).toList();
  }
}
