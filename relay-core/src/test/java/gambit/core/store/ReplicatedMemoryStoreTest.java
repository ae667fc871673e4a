package gambit.core.store;

import gambit.core.testkit.ReplicatedStoreContract;

/** Runs the contract of replicated stores on the store in memory. */
class ReplicatedMemoryStoreTest extends ReplicatedStoreContract {
  @Override
  protected ReplicatedStore openEmpty() {
    return new MemoryEventStore(1 << 30);
  }
}
