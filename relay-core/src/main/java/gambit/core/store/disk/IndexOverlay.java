package gambit.core.store.disk;

import java.util.EnumMap;
import java.util.Map;

/**
 * Changes of the index that LMDB does not have yet, each table's in {@link IndexRuns}. Immutable.
 */
final class IndexOverlay {
  static final IndexOverlay EMPTY = new IndexOverlay(new EnumMap<>(Table.class));

  private final Map<Table, IndexRuns> tables;
  private final long memoryBytes;

  private IndexOverlay(Map<Table, IndexRuns> tables) {
    this.tables = tables;
    long sum = 0;
    for (IndexRuns runs : tables.values()) {
      sum += runs.memoryBytes();
    }
    this.memoryBytes = sum;
  }

  /** About how much memory the changes take. */
  long memoryBytes() {
    return memoryBytes;
  }

  boolean isEmpty() {
    return memoryBytes == 0;
  }

  /** The changes of a table. */
  IndexRuns runs(Table table) {
    return tables.getOrDefault(table, IndexRuns.NONE);
  }

  /** The changes of all tables that have any. */
  Map<Table, IndexRuns> tables() {
    return tables;
  }

  /** This overlay with later changes. */
  IndexOverlay plus(Map<Table, IndexRuns> later) {
    Map<Table, IndexRuns> all = new EnumMap<>(Table.class);
    all.putAll(tables);
    later.forEach((table, runs) -> all.merge(table, runs, IndexRuns::plus));
    return new IndexOverlay(all);
  }
}
