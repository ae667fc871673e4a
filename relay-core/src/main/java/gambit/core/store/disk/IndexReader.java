package gambit.core.store.disk;

import java.nio.ByteBuffer;
import org.lmdbjava.Cursor;
import org.lmdbjava.Txn;

/** A read transaction on the last commit. Closing it returns it to the index for reuse. */
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
