package gambit.core.store.disk.index;

import java.nio.ByteBuffer;
import org.lmdbjava.Txn;

/** The index as of the last commit. Closing it returns it to the index for reuse. */
public final class IndexReader extends IndexView {
  IndexReader(Index index, Txn<ByteBuffer> txn) {
    super(index, txn);
  }

  @Override
  public void close() {
    reset();
    index().recycle(this);
  }
}
