package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.index.Hashing;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.EventStoreContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.lifecycle.AfterProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Runs the contract of stores on the store on disk while it is reopened, killed, deprived of its
 * index, rebooted and reclaimed.
 */
class DiskEventStoreTest extends EventStoreContract {
  private final List<StoreDirectory> directories = new ArrayList<>();

  /** Null for the keyed hash. */
  @Nullable Hashing hashing() {
    return null;
  }

  StoreDirectory newDirectory() throws IOException {
    return new StoreDirectory(hashing());
  }

  @Override
  protected EventStore openEmpty() throws IOException {
    StoreDirectory directory = newDirectory();
    directories.add(directory);
    return directory.open();
  }

  @Override
  protected EventStore disturbed(EventStore store, Random random) throws IOException {
    return directories.get(directories.size() - 1).disturbed(store, random);
  }

  @Test
  void freeSpaceIsMeasuredOnTheFileSystemOfTheLog() throws IOException {
    StoreDirectory directory = newDirectory();
    directories.add(directory);
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (EventStore store = directory.open(disk, 1000)) {
      disk.setUsableBytes(1000);
      assertThat(store.hasRoomForClients()).isTrue();
      disk.setUsableBytes(999); // the index is on another disk
      assertThat(store.hasRoomForClients()).isFalse();
      try (Transaction transaction = store.begin()) {
        assertThat(transaction.hasRoomFor(List.of(), List.of(), false)).isFalse();
        assertThat(transaction.hasRoomFor(List.of(), List.of(), true)).isTrue();
      }
    }
  }

  @Test
  void aFullStoreAndOneThatHasRoomAgainAreEachLoggedOnce() throws IOException {
    StoreDirectory directory = newDirectory();
    directories.add(directory);
    FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
    try (EventStore store = directory.open(disk, 64 << 20);
        ClassLog log = ClassLog.withInfo(DiskEventStore.class)) {
      for (long freeMegabytes : new long[] {100, 63, 5, 5, 70, 80}) {
        disk.setUsableBytes(freeMegabytes << 20);
        store.hasRoomForClients();
      }
      assertThat(log.messages())
          .containsExactly(
              "The store is full: 63 MB are free on its disk, store.min_free is 64 MB."
                  + " Events of clients are refused until there is room",
              "The store has room again: 70 MB are free on its disk."
                  + " Events of clients are stored");
    }
  }

  @AfterEach
  @AfterProperty
  void deleteDirectories() throws IOException {
    for (StoreDirectory directory : directories) {
      directory.delete();
    }
  }
}
