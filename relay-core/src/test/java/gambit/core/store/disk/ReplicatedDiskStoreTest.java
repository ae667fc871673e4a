package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.EventVerifier;
import gambit.core.store.EventStore;
import gambit.core.store.LogGroup;
import gambit.core.store.StoreProgress;
import gambit.core.testkit.ReplicatedStoreContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.AfterEach;

/**
 * Runs the contract of replicated stores on the store on disk while both are reopened, killed,
 * deprived of their index, rebooted and reclaimed.
 */
class ReplicatedDiskStoreTest extends ReplicatedStoreContract {
  private final Map<EventStore, StoreDirectory> directories = new IdentityHashMap<>();

  @Override
  protected EventStore openEmpty() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    DiskEventStore store = directory.open();
    directories.put(store, directory);
    return store;
  }

  private StoreDirectory directory(EventStore store) {
    StoreDirectory directory = directories.get(store);
    assertThat(directory).isNotNull();
    return directory;
  }

  @Override
  protected EventStore disturbed(EventStore store, Random random) throws IOException {
    StoreDirectory directory = directory(store);
    EventStore after = directory.disturbed(store, random);
    directories.put(after, directory);
    return after;
  }

  @Override
  protected void assertLogs(EventStore leader, EventStore follower, List<LogGroup> groups)
      throws IOException {
    Map<Long, LogGroup> byOffset =
        groups.stream().collect(Collectors.toMap(LogGroup::offset, group -> group));
    for (EventStore store : List.of(leader, follower)) {
      store.close();
      StoreDirectory directory = directory(store);
      for (LogFile file : LogFile.all(directory)) {
        for (LogGroup group : file.groups()) {
          LogGroup committed = byOffset.get(group.offset());
          assertThat(committed).isNotNull();
          assertThat(group).usingRecursiveComparison().isEqualTo(committed);
        }
      }
      List<String> faults = new ArrayList<>();
      StoreCheck.run(directory.path(), new EventVerifier(), false, faults::add, StoreProgress.NONE);
      assertThat(faults).isEmpty();
    }
  }

  @AfterEach
  @AfterProperty
  void deleteDirectories() throws IOException {
    for (StoreDirectory directory : directories.values()) {
      directory.delete();
    }
  }
}
