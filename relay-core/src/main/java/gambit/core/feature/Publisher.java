package gambit.core.feature;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Stores events and rows of features and sends output to clients. Output keeps the order of the
 * decisions: the output of one call stays together, and calls of one thread keep their order.
 */
public interface Publisher {
  /**
   * Commits all changes or none. A full store still has room for rows and withdrawals. A share of
   * the writer's queue is reserved for features.
   *
   * @param outcome returns the output for the outcome; called on the writer's thread, once. If it
   *     throws, the exception is logged, and it is called again with {@link WriteOutcome#FAILED}
   * @param settled called when that output has been handed to the live lane: messages sent from
   *     then on follow it. Called on the writer's thread, exactly once
   * @return false, without effect, if the reserved share is full, too
   * @throws IllegalArgumentException when a row's key or its table's name is too long
   */
  boolean store(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled);

  void send(List<Outgoing> outgoing);
}
