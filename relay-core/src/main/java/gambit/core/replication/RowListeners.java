package gambit.core.replication;

import gambit.core.feature.Row;
import gambit.core.log.LimitedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The features that are notified of rows which other nodes have changed. The writer's thread only,
 * except during installation.
 */
final class RowListeners {
  private static final LimitedLog LOG = LimitedLog.of(RowListeners.class);

  private final Map<String, List<Consumer<Map<String, Optional<byte[]>>>>> byTable =
      new HashMap<>();

  /** Adds a listener for a table. During installation only. */
  void add(String table, Consumer<Map<String, Optional<byte[]>>> changed) {
    byTable.computeIfAbsent(table, name -> new ArrayList<>(1)).add(changed);
  }

  boolean has(String table) {
    return byTable.containsKey(table);
  }

  void changed(List<Row> rows) {
    Map<String, Map<String, Optional<byte[]>>> changed = new HashMap<>();
    for (Row row : rows) {
      if (has(row.table())) {
        changed
            .computeIfAbsent(row.table(), name -> new HashMap<>())
            .put(HexFormat.of().formatHex(row.key()), Optional.ofNullable(row.value()));
      }
    }
    changed.forEach(
        (table, ofTable) ->
            byTable.getOrDefault(table, List.of()).forEach(it -> notify(it, table, ofTable)));
  }

  private static void notify(
      Consumer<Map<String, Optional<byte[]>>> listener,
      String table,
      Map<String, Optional<byte[]>> changed) {
    try {
      listener.accept(changed);
    } catch (RuntimeException e) { // as of rows that a newer program has written
      LOG.error("A feature could not follow rows of the table {}", table, e);
    }
  }
}
