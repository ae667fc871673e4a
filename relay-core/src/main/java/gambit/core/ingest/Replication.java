package gambit.core.ingest;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.store.ReplicatedTransaction;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The cluster as its nodes' writers see it. */
public interface Replication {

  /** Whether this node decides over changes of the store. Any thread. */
  boolean leads();

  /**
   * Commits a batch on all nodes: this one has committed it when this returns, the others will.
   * Nothing is committed if there is neither a change nor output for them. The writer's thread,
   * while this node leads.
   *
   * @param transaction has all changes of the batch
   * @param outgoing the output of the batch
   * @return the output for this node's clients
   * @throws IOException when there is no room; nothing has been committed
   * @throws Overtaken when another node leads
   */
  List<Outgoing> commit(ReplicatedTransaction transaction, List<Outgoing> outgoing)
      throws IOException;

  /**
   * Commits output that no batch has room for: what the last one has left, and what other nodes
   * must know before the next. The writer's thread, before and after each batch, while this node
   * leads and no transaction is open.
   *
   * @throws IOException when there is no room
   * @throws Overtaken when another node leads
   */
  void commitRest() throws IOException;

  /**
   * Hands a feature's commit on to the leader; false, without effect, if this node leads. The
   * functions are called as {@link gambit.core.feature.Publisher#store} says. Any thread.
   */
  boolean forward(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled);

  /** Another node leads: this one must start anew, and its queued requests have no answer. */
  final class Overtaken extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Overtaken(String message) {
      super(message);
    }
  }
}
