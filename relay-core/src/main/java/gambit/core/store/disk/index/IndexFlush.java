package gambit.core.store.disk.index;

import java.nio.ByteBuffer;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;

/** Applies changes to LMDB, each table's in the order of keys. One thread at a time. */
final class IndexFlush {
  private static final int MAX_KEY_BYTES = 512;

  /** Of a block of {@link Table#ID_SUM} whose events all have different kinds. */
  private static final int MAX_VALUE_BYTES = IdSumUpdate.MAX_EVENTS * KindSums.BYTES_PER_KIND;

  private final ByteBuffer key = ByteBuffer.allocateDirect(MAX_KEY_BYTES);
  private final ByteBuffer value = ByteBuffer.allocateDirect(MAX_VALUE_BYTES);

  /** Makes the transaction change something: without a change, its id would be used again. */
  void mark(long id, Dbi<ByteBuffer> meta, Txn<ByteBuffer> txn) {
    meta.put(txn, Index.metaKey("flush"), value.clear().putLong(id).flip());
  }

  /** Applies the changes of one table. */
  void apply(IndexRun changes, Table table, Dbi<ByteBuffer> dbi, Txn<ByteBuffer> txn) {
    if (changes.start(table) == changes.end(table)) {
      return;
    }
    try (Cursor<ByteBuffer> cursor = dbi.openCursor(txn)) {
      for (int i = changes.start(table); i < changes.end(table); i++) {
        byte[] change = changes.get(i);
        IndexChange.putKey(change, key);
        if (!IndexChange.isDeletion(change)) {
          cursor.put(key, IndexChange.putValue(change, value));
        } else if (cursor.get(key, GetOp.MDB_SET)) {
          cursor.delete();
        }
      }
    }
  }
}
