package gambit.core.store.disk;

import gambit.core.store.EventStore;
import gambit.core.testkit.EventStoreContract;
import java.io.IOException;
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
    return made.get(made.size() - 1).disturbed(store, random);
  }

  @AfterEach
  @AfterProperty
  void deleteDirectories() throws IOException {
    for (StoreDirectory directory : made) {
      directory.delete();
    }
  }
}
