package gambit.core.ingest;

import gambit.core.feature.UnreadableRows;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The format of this package's stored rows: a byte with the number of the format, then the content,
 * whose length is fixed in each table. Pure.
 */
final class RowFormat {
  private static final byte CURRENT = 1;

  private RowFormat() {}

  static byte[] row(int contentBytes, Consumer<ByteBuffer> content) {
    ByteBuffer row = ByteBuffer.allocate(1 + contentBytes).put(CURRENT);
    content.accept(row);
    return row.array();
  }

  /**
   * The content of a stored row; if its format or length is another one, {@link UnreadableRows} has
   * the name of its table and key.
   */
  static ByteBuffer content(byte[] row, int contentBytes, String name) {
    if (row.length != 1 + contentBytes || row[0] != CURRENT) {
      throw new UnreadableRows(
          "The row of " + name + " is unreadable",
          new IllegalArgumentException(
              "format " + (row.length == 0 ? "missing" : row[0]) + ", " + row.length + " bytes"));
    }
    return ByteBuffer.wrap(row, 1, contentBytes);
  }
}
