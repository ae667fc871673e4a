package gambit.core.replication;

import gambit.core.log.LimitedLog;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.message.Entry;
import gambit.core.store.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.ReplicatedStore;
import gambit.core.store.ReplicatedTransaction;
import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/** Appends this node's takeover to the shared log, which decides. The writer's thread only. */
final class Takeover {
  private static final LimitedLog LOG = LimitedLog.of(Takeover.class);

  private final ClusterParts parts;
  private final ReplicatedStore store;
  private final InstantSource time;

  Takeover(ClusterParts parts, ReplicatedStore store, InstantSource time) {
    this.parts = parts;
    this.store = store;
    this.time = time;
  }

  /**
   * Tries to take over.
   *
   * @return the entry that was appended, to be applied like any other; nothing if there is more to
   *     follow, if another node was first, or if the log cannot be reached
   */
  Optional<Entry> attempt(NodeState node) {
    try {
      if (parts.log().range().last() > node.applied()) {
        return Optional.empty();
      }
      LogEnd end = store.logEnd();
      long epoch = node.epoch() + 1;
      Entry entry =
          new Entry(epoch, parts.node(), time.millis(), end.checksum(), group(epoch), new byte[0]);
      parts.log().append(end.sequence(), entry.encode());
      return Optional.of(entry);
    } catch (SharedLog.Overtaken e) {
      LOG.info("Another node was first: {}", e.getMessage());
    } catch (LogUnavailable e) {
      LOG.warn("This node cannot take over: {}", e.getMessage());
    } catch (IOException e) {
      throw new StoreFailure("there is no room for the log of the cluster", e);
    }
    return Optional.empty();
  }

  private LogGroup group(long epoch) throws IOException {
    try (ReplicatedTransaction transaction = store.begin()) {
      if (ClusterRow.id(transaction).isEmpty()) {
        transaction.putRow(ClusterRow.TABLE, ClusterRow.ID, parts.id());
      }
      transaction.putRow(
          ClusterRow.TABLE, ClusterRow.LEADER, ClusterRow.leader(epoch, parts.node()));
      return transaction.prepare();
    }
  }
}
