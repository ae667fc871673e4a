package gambit.core.replication;

import gambit.core.store.RowReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The rows of a node's store that concern its cluster. Table {@code cluster}: {@code id} → the
 * cluster's id 16; {@code leader} → epoch 8 · the leader's number 8.
 */
public final class ClusterRow {
  static final String TABLE = "cluster";
  static final byte[] LEADER = "leader".getBytes(StandardCharsets.US_ASCII);
  static final byte[] ID = "id".getBytes(StandardCharsets.US_ASCII);

  private ClusterRow() {}

  /** The id of the cluster to which a store belongs, in hex; empty if it has never been in one. */
  public static Optional<String> id(RowReader rows) {
    return rows.row(TABLE, ID).map(HexFormat.of()::formatHex);
  }

  /** The epoch of the newest takeover in a store; 0 before the first. */
  public static long epoch(RowReader rows) {
    return rows.row(TABLE, LEADER).map(row -> ByteBuffer.wrap(row).getLong()).orElse(0L);
  }

  static byte[] leader(long epoch, long node) {
    return ByteBuffer.allocate(16).putLong(epoch).putLong(node).array();
  }
}
