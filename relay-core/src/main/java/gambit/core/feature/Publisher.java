package gambit.core.feature;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How a feature stores events and speaks to clients. What is let out keeps the order in which it
 * was decided: everything of one call together, calls of one thread in their order.
 */
public interface Publisher {
  /**
   * Commits all of it or nothing; rows and withdrawals alone always find room in the store.
   * Features keep a share of the writer's queue for themselves, which clients' events cannot fill.
   *
   * @param outcome what to let out then; called on the writer's thread, once. If it throws, that is
   *     logged, and it is called once more with {@link WriteOutcome#FAILED} for an answer
   * @param settled hears of it when that has been handed on: what is told from then on comes behind
   *     it; called on the writer's thread, exactly once
   * @return false when even that share is full; then nothing happens
   * @throws IllegalArgumentException when a row's key or its table's name is too long
   */
  boolean store(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled);

  /** Lets out what needs no commit. */
  void tell(List<Outgoing> outgoing);
}
