package gambit.core.ingest;

import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.store.Transaction;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Something to be done in a transaction, all of it or nothing, and what to let out once that is
 * decided. All three are called on the writer's thread, exactly once.
 *
 * @param bytes what the change adds to the store, about
 * @param settled called when what is let out was handed on
 */
record WriteRequest(
    Function<Transaction, WriteOutcome> change,
    long bytes,
    Function<WriteOutcome, List<Outgoing>> outcome,
    Consumer<WriteOutcome> settled) {

  /** Events to be stored. */
  static WriteRequest of(
      StorageRules rules,
      List<Event> events,
      boolean mayUseReserve,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    return new WriteRequest(
        transaction -> rules.apply(transaction, events, mayUseReserve),
        events.stream().mapToLong(event -> event.json().length).sum(),
        outcome,
        settled);
  }
}
