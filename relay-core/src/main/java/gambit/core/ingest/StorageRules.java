package gambit.core.ingest;

import gambit.core.feature.WriteOutcome;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What storing an event means (NIP-01, "Kinds"): decided once, here, against a transaction, for
 * every store. The writer's thread only.
 */
final class StorageRules {
  private StorageRules() {}

  /**
   * Applies the events to the transaction, all of them, or leaves it as it is and says why.
   *
   * @param mayUseReserve as in {@link Transaction#hasRoomFor}
   */
  static WriteOutcome apply(Transaction transaction, List<Event> events, boolean mayUseReserve) {
    List<StoredEvent> replaced = new ArrayList<>();
    for (Event event : events) {
      if (transaction.byId(event.id()).isPresent()) {
        return WriteOutcome.DUPLICATE;
      }
      Optional<StoredEvent> older = Address.of(event).flatMap(transaction::byAddress);
      if (older.isPresent() && !replaces(event, older.get().event())) {
        return WriteOutcome.SUPERSEDED;
      }
      older.ifPresent(replaced::add);
    }
    if (!transaction.hasRoomFor(events, replaced, mayUseReserve)) {
      return WriteOutcome.FULL;
    }
    replaced.forEach(transaction::remove);
    events.forEach(transaction::append);
    return WriteOutcome.STORED;
  }

  /** The newer one wins, and of equally old ones the one with the lowest id (NIP-01). */
  private static boolean replaces(Event event, Event older) {
    return event.createdAt() != older.createdAt()
        ? event.createdAt() > older.createdAt()
        : event.id().compareTo(older.id()) < 0;
  }
}
