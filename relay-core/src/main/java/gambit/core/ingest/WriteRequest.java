package gambit.core.ingest;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.store.Transaction;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A change to be made in a transaction, completely or not at all, and the callbacks that follow.
 * All three functions are called on the writer's thread.
 *
 * @param change called once for each attempt to commit the batch, with a new transaction; earlier
 *     attempts were rolled back
 * @param bytes approximate size of what the change adds to the store
 * @param outcome returns the output; called once, and if it throws, once more with {@link
 *     WriteOutcome#FAILED}
 * @param settled called once, after the output was passed to the live lane
 * @param queuedAt when it was made, a value of {@link System#nanoTime}
 */
record WriteRequest(
    Function<Transaction, WriteOutcome> change,
    long bytes,
    Function<WriteOutcome, List<Outgoing>> outcome,
    Consumer<WriteOutcome> settled,
    long queuedAt) {

  /** A request that is made now. */
  WriteRequest(
      Function<Transaction, WriteOutcome> change,
      long bytes,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    this(change, bytes, outcome, settled, System.nanoTime());
  }

  /**
   * A request to apply a commit by the rules.
   *
   * @param isRefused whether it must have no effect after all: {@link WriteOutcome#BANNED}
   */
  static WriteRequest of(
      StorageRules rules,
      Commit commit,
      BooleanSupplier isRefused,
      boolean mayUseReserve,
      InstantSource time,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    List<Event> copies = new ArrayList<>(0);
    return new WriteRequest(
        transaction -> {
          copies.clear();
          return isRefused.getAsBoolean()
              ? WriteOutcome.BANNED
              : rules.apply(transaction, commit, mayUseReserve, time.instant(), copies::add);
        },
        commit.addedBytes(),
        result ->
            result == WriteOutcome.STORED && !copies.isEmpty()
                ? withCopies(outcome.apply(result), copies)
                : outcome.apply(result),
        settled);
  }

  private static List<Outgoing> withCopies(List<Outgoing> output, List<Event> copies) {
    List<Outgoing> all = new ArrayList<>(output);
    copies.forEach(copy -> all.add(new Outgoing.Broadcast(copy, List.of())));
    return all;
  }
}
