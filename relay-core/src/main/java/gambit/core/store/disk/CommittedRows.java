package gambit.core.store.disk;

import gambit.core.store.disk.index.Index;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.LogView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the committed rows of features' tables. Any thread. */
final class CommittedRows {
  private final Index index;
  private final LogFiles files;

  CommittedRows(Index index, LogFiles files) {
    this.index = index;
    this.files = files;
  }

  /** The value of a row; nothing when there is no such row. */
  Optional<byte[]> row(String table, byte[] key) {
    while (true) {
      try (IndexView reader = index.beginReading()) {
        long offset = IndexUpdate.rowOffset(reader, table, key);
        if (offset < 0) {
          return Optional.empty();
        }
        try (LogView view = files.view()) {
          if (view.contains(offset) || isRowAt(offset, table, key)) {
            return Optional.of(view.row(offset));
          }
        }
      } // retry: the row was replaced, and a rewritten segment lacks the old record
    }
  }

  /** Whether the row's current record has that offset. */
  private boolean isRowAt(long offset, String table, byte[] key) {
    try (IndexView reader = index.beginReading()) {
      return IndexUpdate.rowOffset(reader, table, key) == offset;
    }
  }

  /** The values of all rows of a table, by their keys in hex. */
  Map<String, byte[]> all(String table) {
    Map<String, byte[]> rows = new TreeMap<>();
    byte[] prefix = (table + "\0").getBytes(StandardCharsets.UTF_8);
    try (IndexView reader = index.beginReading();
        LogView view = files.view()) {
      boolean more = reader.seek(Table.ROW, reader.keys().rowKey(table, new byte[0]));
      while (more && IndexKeys.startsWith(reader.key(Table.ROW), prefix)) {
        ByteBuffer key = reader.key(Table.ROW);
        byte[] rowKey = new byte[key.remaining() - prefix.length];
        key.get(key.position() + prefix.length, rowKey);
        rows.put(
            HexFormat.of().formatHex(rowKey),
            view.row(IndexKeys.longAt(reader.value(Table.ROW), 0)));
        more = reader.next(Table.ROW);
      }
    }
    return rows;
  }
}
