package gambit.core.store.disk;

import gambit.core.store.EventStore;
import gambit.core.testkit.EventStoreContract;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.lifecycle.AfterProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * The store on disk does what every store has to do, whatever happens to it on the way: closed and
 * opened, killed, without its index, on a machine that was started again, reclaimed.
 */
class DiskEventStoreTest extends EventStoreContract {
  private final List<StoreDirectory> made = new ArrayList<>();

  /** Null for the real one. */
  @Nullable Hashing hashing() {
    return null;
  }

  @Override
  protected EventStore empty() throws IOException {
    StoreDirectory directory = new StoreDirectory(hashing());
    made.add(directory);
    return directory.open();
  }

  @Override
  protected EventStore disturbed(EventStore store, Random random) throws IOException {
    StoreDirectory directory = made.get(made.size() - 1);
    switch (random.nextInt(5)) {
      case 0 -> {
        store.close();
        return directory.open();
      }
      case 1 -> {
        store.close();
        directory.putIndexBack();
        return directory.open();
      }
      case 2 -> {
        store.close();
        directory.deleteIndex();
        return directory.open();
      }
      case 3 -> {
        store.close();
        directory.startMachineAgain();
        return directory.open();
      }
      default -> {
        directory.keepNoIndex();
        store.reclaim(Instant.MAX.minusSeconds(1));
        return store;
      }
    }
  }

  @AfterEach
  @AfterProperty
  void deleteDirectories() throws IOException {
    for (StoreDirectory directory : made) {
      directory.delete();
    }
  }
}
