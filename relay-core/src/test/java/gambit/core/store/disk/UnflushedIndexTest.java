package gambit.core.store.disk;

import java.io.IOException;

/** Runs the same tests with an index whose changes are applied to LMDB only when it is closed. */
class UnflushedIndexTest extends DiskEventStoreTest {
  @Override
  StoreDirectory newDirectory() throws IOException {
    return super.newDirectory().withBytesOfFlush(DiskEventStore.BYTES_OF_FLUSH);
  }
}
