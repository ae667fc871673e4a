package gambit.core.store.disk;

import java.nio.ByteBuffer;
import org.lmdbjava.Cursor;
import org.lmdbjava.Txn;

/** A look at the last commit. Closing it gives it back to the index, to be used again. */
final class IndexReader extends IndexView {
  IndexReader(Index index, Txn<ByteBuffer> txn) {
    super(index, txn);
  }

  void renew() {
    txn.renew();
    for (Cursor<ByteBuffer> cursor : cursors.values()) {
      cursor.renew(txn);
    }
  }

  @Override
  public void close() {
    txn.reset();
    index().recycle(this);
  }

  void closeTransaction() {
    cursors.values().forEach(Cursor::close);
    txn.close();
  }
}
