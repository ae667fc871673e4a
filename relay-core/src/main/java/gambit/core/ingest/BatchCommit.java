package gambit.core.ingest;

import gambit.core.feature.Outgoing;
import gambit.core.store.EventStore;
import gambit.core.store.ReplicatedTransaction;
import gambit.core.store.StoreFailure;
import gambit.core.store.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How the writer commits: on this node only, or on all nodes of a cluster. Its thread only. */
sealed interface BatchCommit {

  /** The way to commit of a relay; {@code replication} is null if it has no cluster. */
  static BatchCommit of(EventStore store, @Nullable Replication replication) {
    return replication == null ? new Local() : new Replicated(store, replication);
  }

  /** Whether this node decides over changes of the store. Any thread. */
  boolean leads();

  /** Whether output without changes has its place among the commits, on all nodes. Any thread. */
  boolean ordersOutput();

  /** Commits what no batch has room for; called before and after each, with no transaction open. */
  void commitRest();

  /**
   * Commits the changes of a batch, in a cluster with its output; returns the output for this
   * node's clients. Making the output tells features the outcome, so without a cluster it is made
   * after the commit.
   */
  List<Outgoing> commit(Transaction transaction, Supplier<List<Outgoing>> output)
      throws IOException;

  /** Commits output without changes; returns that for this node's clients. */
  List<Outgoing> commitOutput(List<Outgoing> output) throws IOException;

  /**
   * Commits the answers to a batch whose commit has failed; returns the output for this node's
   * clients. Never fails without a cluster.
   *
   * @throws StoreFailure when a leader must end, so that another node takes over
   */
  List<Outgoing> commitFailure(List<Outgoing> output, Exception cause);

  /** A relay that has no cluster. */
  record Local() implements BatchCommit {
    @Override
    public boolean leads() {
      return true;
    }

    @Override
    public boolean ordersOutput() {
      return false;
    }

    @Override
    public void commitRest() {}

    @Override
    public List<Outgoing> commit(Transaction transaction, Supplier<List<Outgoing>> output)
        throws IOException {
      transaction.commit();
      return output.get();
    }

    @Override
    public List<Outgoing> commitOutput(List<Outgoing> output) {
      return output;
    }

    @Override
    public List<Outgoing> commitFailure(List<Outgoing> output, Exception cause) {
      return output;
    }
  }

  /** A node of a cluster. A follower commits nothing; its own output needs no commit. */
  record Replicated(EventStore store, Replication replication) implements BatchCommit {
    @Override
    public boolean leads() {
      return replication.leads();
    }

    @Override
    public boolean ordersOutput() {
      return true;
    }

    @Override
    public void commitRest() {
      try {
        replication.commitRest();
      } catch (Replication.Overtaken e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw new StoreFailure(
            "this node leads its cluster and cannot tell what it has committed", e);
      }
    }

    @Override
    public List<Outgoing> commit(Transaction transaction, Supplier<List<Outgoing>> output)
        throws IOException {
      return replication.commit((ReplicatedTransaction) transaction, output.get());
    }

    @Override
    public List<Outgoing> commitOutput(List<Outgoing> output) throws IOException {
      return output.isEmpty() ? output : commitWithoutChanges(output);
    }

    private List<Outgoing> commitWithoutChanges(List<Outgoing> output) throws IOException {
      List<Outgoing> local;
      try (Transaction transaction = store.begin()) {
        local = commit(transaction, () -> output);
      }
      commitRest();
      return local;
    }

    /** A leader that cannot commit even the answers, or has no room, ends. */
    @Override
    public List<Outgoing> commitFailure(List<Outgoing> output, Exception cause) {
      if (!leads()) {
        return output;
      }
      if (cause instanceof IOException) {
        throw new StoreFailure("this node leads its cluster and cannot commit", cause);
      }
      try {
        return commitWithoutChanges(output);
      } catch (Replication.Overtaken e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw new StoreFailure("this node leads its cluster and cannot answer", e);
      }
    }
  }
}
