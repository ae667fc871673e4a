package gambit.core.management;

import gambit.core.management.RowMap.Change;
import gambit.core.management.RowMap.KeyFormat;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The last {@value #MAX} changes. Thread-safe: the lane of management makes changes, and the writer
 * adds those that another node of the cluster has made.
 *
 * <p>The key of a row is the number of the change among all changes of this relay, from 1 (8
 * bytes), and a checksum of the value (4 bytes). Two nodes of a cluster may give entries the same
 * number at the same time; the checksum keeps both.
 */
final class AuditLog {
  static final String TABLE = "management audit";
  static final int MAX = 10_000;

  private final ConcurrentNavigableMap<String, AuditEntry> entries =
      new ConcurrentSkipListMap<>(); // by the keys of their rows in hex

  private final RowMap<String, AuditEntry> rows;

  /**
   * A change that somebody has made ({@link Call.Caller#name}), in seconds of Unix time; the login
   * is the id of the event that has authorized it (NIP-98), empty for a command. Immutable.
   */
  record AuditEntry(
      long at, String by, String action, String target, String reason, String login) {}

  AuditLog(Map<String, byte[]> stored) {
    rows =
        new RowMap<>(
            TABLE,
            new KeyFormat<>(HexFormat.of()::parseHex, HexFormat.of()::formatHex),
            AuditEntry.class,
            stored,
            entries);
  }

  static long number(String key) {
    return Long.parseLong(key, 0, 2 * Long.BYTES, 16);
  }

  /** The changes that add the next entry, and remove the oldest beyond the bound. */
  List<Change<?, ?>> add(AuditEntry entry) {
    long number = entries.isEmpty() ? 1 : number(entries.lastKey()) + 1;
    CRC32C checksum = new CRC32C();
    checksum.update(RowMap.json(entry));
    String key = "%016x%08x".formatted(number, checksum.getValue());
    List<Change<?, ?>> changes = new ArrayList<>(List.of(rows.change(key, entry)));
    entries.keySet().stream()
        .limit(Math.max(0, entries.size() + 1 - MAX))
        .forEach(oldest -> changes.add(rows.change(oldest, null)));
    return changes;
  }

  /** Follows a committed row, by its key in hex; returns its entry, null if it was removed. */
  @Nullable AuditEntry changed(String key, Optional<byte[]> row) {
    rows.changed(key, row);
    return rows.get(key);
  }

  List<Map.Entry<String, AuditEntry>> newest(int max) {
    return entries.descendingMap().entrySet().stream().limit(max).toList();
  }
}
