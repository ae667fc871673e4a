package gambit.core;

import gambit.core.ingest.StorageRules;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The events that a relay with that store would serve to its operator, for a program that does not
 * start the relay. Thread-safe.
 */
public final class ServedEvents {
  private final StorageRules rules;
  private final CommittedEvents committed;

  public ServedEvents(EventStore store, InstantSource time) {
    this.rules = new StorageRules(store, Set.of());
    this.committed = new CommittedEvents(store, stored -> rules.isServed(stored, time.instant()));
  }

  /** Whether they are all stored events that have not expired. */
  public boolean areAllUnexpired() {
    return !rules.hidesVanished();
  }

  /**
   * Passes on the events that match a filter, newest first, up to its limit, on this thread; those
   * that are committed meanwhile may be missing.
   *
   * @param receiver returns false to end
   */
  public void forEach(Filter filter, Predicate<Event> receiver) {
    committed.forEach(filter, receiver);
  }
}
