package gambit.core.store.disk;

import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.lmdbjava.Cursor;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;

/** The one write transaction of the index. */
final class IndexWriter extends IndexView {
  private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

  IndexWriter(Index index) {
    super(index, index.beginWriting());
  }

  void put(Table table, ByteBuffer key, ByteBuffer value) {
    index().dbi(table).put(txn, key, value);
  }

  void put(Table table, ByteBuffer key) {
    put(table, key, EMPTY);
  }

  void delete(Table table, ByteBuffer key) {
    index().dbi(table).delete(txn, key);
  }

  /** Makes the changes visible; they reach the disk when the system likes. */
  void commit() throws IOException {
    closeCursors();
    try {
      txn.commit();
    } catch (LmdbNativeException.PanicException e) {
      throw new StoreFailure("the index cannot go on", e);
    } catch (LmdbException e) {
      throw new IndexUnusable(e);
    }
  }

  private void closeCursors() {
    cursors.values().forEach(Cursor::close);
    cursors.clear();
  }

  @Override
  public void close() {
    closeCursors();
    txn.close();
  }
}
