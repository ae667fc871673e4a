package gambit.core.ingest;

import gambit.core.feature.Outgoing;
import gambit.core.store.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The cluster as the writer of one of its nodes sees it. The methods of this interface are those of
 * a relay that has none. Any thread, except where the writer's is named.
 */
public interface Replication {
  Replication NONE = new Replication() {};

  /** Whether there is a cluster, so that output has its place among the commits, on all nodes. */
  default boolean isCluster() {
    return false;
  }

  /** Whether this node decides over changes of the store. */
  default boolean leads() {
    return true;
  }

  /**
   * Commits a batch, in a cluster on all nodes, with its output: this one has committed it when
   * this returns, the others will. Nothing is committed if there is neither a change nor output for
   * others. The writer's thread, while this node leads.
   *
   * @param output makes the output of the batch, which tells features the outcome: without a
   *     cluster it is called after the commit
   * @return the output for this node's clients
   * @throws IOException when there is no room; nothing has been committed
   * @throws Overtaken when another node leads
   */
  default List<Outgoing> commit(Transaction transaction, Supplier<List<Outgoing>> output)
      throws IOException {
    transaction.commit();
    return output.get();
  }

  /**
   * Commits output that no batch has room for: what the last one has left, and what other nodes
   * must know before the next. The writer's thread, before and after each batch, while this node
   * leads and no transaction is open.
   *
   * @throws IOException when there is no room
   * @throws Overtaken when another node leads
   */
  default void commitRest() throws IOException {}

  /** Another node leads: this one must start anew, and its queued requests have no answer. */
  final class Overtaken extends RuntimeException {
    public Overtaken(String message) {
      super(message);
    }
  }
}
