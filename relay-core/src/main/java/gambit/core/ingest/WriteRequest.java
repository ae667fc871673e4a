package gambit.core.ingest;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.store.Transaction;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Something to be done in a transaction, all of it or nothing, and what to let out once that is
 * decided. All three are called on the writer's thread.
 *
 * @param change called once for each attempt to commit the group, on a new transaction; nothing of
 *     an earlier attempt has happened
 * @param bytes what the change adds to the store, about
 * @param outcome called once, and if it throws once more with {@link WriteOutcome#FAILED}
 * @param settled called once when what is let out was handed on
 */
record WriteRequest(
    Function<Transaction, WriteOutcome> change,
    long bytes,
    Function<WriteOutcome, List<Outgoing>> outcome,
    Consumer<WriteOutcome> settled) {

  /** What is to be committed as the rules say. */
  static WriteRequest of(
      StorageRules rules,
      Commit commit,
      boolean mayUseReserve,
      InstantSource time,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    return new WriteRequest(
        transaction -> rules.apply(transaction, commit, mayUseReserve, time.instant()),
        bytes(commit),
        outcome,
        settled);
  }

  private static long bytes(Commit commit) {
    return commit.events().stream().mapToLong(event -> event.json().length).sum()
        + commit.rows().stream().mapToLong(Row::bytes).sum();
  }
}
