package gambit.core.testkit;

import gambit.core.store.EventStore;

/** Runs the contract of replicated stores on the store in memory. */
class ReplicatedMemoryStoreTest extends ReplicatedStoreContract {
  @Override
  protected EventStore openEmpty() {
    return new MemoryEventStore(1 << 30);
  }
}
