package gambit.core.store.disk;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.store.disk.index.Hashing;

/**
 * Runs the same tests with an index in which all hashes collide, so that every hit must be
 * confirmed with its record.
 */
class CollidingIndexTest extends DiskEventStoreTest {
  @Override
  Hashing hashing() {
    return new Hashing(new byte[0]) {
      @Override
      public long id(EventId id) {
        return 7;
      }

      @Override
      public long author(PubKey author) {
        return 7;
      }

      @Override
      public long text(char letter, String value) {
        return 7;
      }
    };
  }
}
