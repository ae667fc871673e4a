package gambit.core.management;

import gambit.core.feature.Row;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** The last {@value #MAX} changes. Confined to the lane of management. */
final class AuditLog {
  /** The most entries; beyond that, the oldest is removed. */
  static final int MAX = 10_000;

  private final Deque<AuditEntry> entries = new ArrayDeque<>(); // the oldest first

  /** The log of the rows of its table. */
  AuditLog(Map<String, byte[]> rows) {
    ManagementRows.auditEntries(rows).stream()
        .sorted(Comparator.comparingLong(AuditEntry::number))
        .forEach(entries::add);
  }

  /** The number of the next entry. */
  long nextNumber() {
    return entries.isEmpty() ? 1 : entries.getLast().number() + 1;
  }

  /** The rows that store the next entry, and remove the oldest beyond the bound. */
  List<Row> rows(AuditEntry next) {
    List<Row> rows = new ArrayList<>(List.of(ManagementRows.row(next)));
    if (entries.size() >= MAX) {
      rows.add(ManagementRows.withoutAuditEntry(entries.getFirst().number()));
    }
    return rows;
  }

  /** Adds an entry whose rows are committed. */
  void add(AuditEntry committed) {
    entries.add(committed);
    if (entries.size() > MAX) {
      entries.removeFirst();
    }
  }

  /** The newest entries, the newest first. */
  List<AuditEntry> newest(int max) {
    List<AuditEntry> newest = new ArrayList<>();
    Iterator<AuditEntry> backwards = entries.descendingIterator();
    while (backwards.hasNext() && newest.size() < max) {
      newest.add(backwards.next());
    }
    return newest;
  }
}
