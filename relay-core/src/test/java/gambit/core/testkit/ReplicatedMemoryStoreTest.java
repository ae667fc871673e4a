package gambit.core.testkit;

import gambit.core.store.ReplicatedStore;

/** Runs the contract of replicated stores on the store in memory. */
class ReplicatedMemoryStoreTest extends ReplicatedStoreContract {
  @Override
  protected ReplicatedStore openEmpty() {
    return new MemoryEventStore(1 << 30);
  }
}
