package gambit.core.replication;

import gambit.core.feature.Outgoing;
import gambit.core.ingest.Replication;
import gambit.core.log.LimitedLog;
import gambit.core.replication.SharedLog.EntriesGone;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.message.Entry;
import gambit.core.store.LogGroup;
import gambit.core.store.ReplicatedStore;
import gambit.core.store.ReplicatedTransaction;
import gambit.core.store.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The commits of a leader: each becomes an entry of the shared log, and then a group of its own
 * log. While it is unknown whether an entry was appended, nothing else is decided. The writer's
 * thread only.
 */
final class LeaderCommits implements Replication {
  private static final LimitedLog LOG = LimitedLog.of(LeaderCommits.class);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);

  private final ReplicatedStore store;
  private final NodeState node;
  private final long number;
  private final InstantSource time;
  private final SharedLog log;
  private final Doubt doubt;
  private final Consumer<String> onOvertaken;
  private final LeaderStates states = new LeaderStates();
  private final Deque<byte[]> rest = new ArrayDeque<>(0); // effects of the last commit
  private volatile boolean isAppending;
  private volatile boolean isCommitting;
  private final RemoteReports reports;
  private final OutputEncoder encoder;

  /** What a leader does while it does not know whether its entry was appended. */
  @FunctionalInterface
  interface Doubt {
    /** Waits a moment; throws {@link Overtaken} if the node is to end meanwhile. */
    void pause();
  }

  /**
   * No commits yet.
   *
   * @param doubt what the leader does while it does not know whether its entry was appended
   * @param onOvertaken is told when another node has taken over
   */
  LeaderCommits(
      ClusterParts parts,
      ReplicatedStore store,
      NodeState node,
      InstantSource time,
      Doubt doubt,
      Consumer<String> onOvertaken) {
    this.store = store;
    this.node = node;
    this.number = parts.node();
    this.reports = new RemoteReports(parts.firstNumber());
    this.encoder = new OutputEncoder(reports, parts.log().maxEntryBytes());
    this.time = time;
    this.log = parts.log();
    this.doubt = doubt;
    this.onOvertaken = onOvertaken;
  }

  /** The current states that other nodes have been sent. */
  LeaderStates states() {
    return states;
  }

  /** The reports on output to other nodes. */
  RemoteReports reports() {
    return reports;
  }

  /** {@inheritDoc} What does not fit into one entry is committed by {@link #commitRest}. */
  @Override
  public List<Outgoing> commit(Transaction committed, Supplier<List<Outgoing>> output)
      throws IOException {
    ReplicatedTransaction transaction = (ReplicatedTransaction) committed;
    List<Outgoing> outgoing = output.get();
    LogGroup group = transaction.prepare();
    OutputEncoder.Split split =
        encoder.split(outgoing, transaction.added(), group.records().length);
    if (group.count() > 0 || split.parts().get(0).length > 0) {
      append(transaction, group, split.parts().get(0));
      rest.addAll(split.parts().subList(1, split.parts().size()));
      states.follow(split.local());
    }
    return split.local();
  }

  /** {@inheritDoc} These are the current states, for nodes that have none. */
  @Override
  public void commitRest() throws IOException {
    List<Outgoing> forNewcomers = states.takeForNewcomers();
    if (!forNewcomers.isEmpty()) {
      rest.addAll(encoder.split(forNewcomers, List.of(), 0).parts());
    }
    while (!rest.isEmpty()) {
      try (ReplicatedTransaction transaction = store.begin()) {
        append(transaction, transaction.prepare(), rest.remove());
      }
    }
  }

  @Override
  public boolean isCluster() {
    return true;
  }

  @Override
  public boolean leads() {
    return node.leads();
  }

  /** Whether a commit waits for the log. Any thread. */
  boolean isAppending() {
    return isAppending;
  }

  /** Whether a commit is under way: it waits for the log, or for this node's disk. Any thread. */
  boolean isCommitting() {
    return isCommitting;
  }

  private void append(ReplicatedTransaction transaction, LogGroup group, byte[] effects)
      throws IOException {
    Entry entry =
        new Entry(node.epoch(), number, time.millis(), store.logEnd().checksum(), group, effects);
    isCommitting = true;
    try {
      append(group.sequence(), entry);
      transaction.commit();
    } finally {
      isCommitting = false;
    }
    node.setApplied(group.sequence());
  }

  private void append(long sequence, Entry entry) {
    isAppending = true;
    try {
      appendWithoutDoubt(sequence, entry.encode());
    } catch (Overtaken e) {
      onOvertaken.accept(e.toString());
      throw e;
    } finally {
      isAppending = false;
    }
  }

  /**
   * Appends an entry.
   *
   * @param sequence the number that it must get
   * @throws Overtaken when another node has appended an entry with that number
   */
  private void appendWithoutDoubt(long sequence, byte[] entry) {
    while (true) {
      try {
        log.append(sequence - 1, entry);
        return;
      } catch (SharedLog.Overtaken e) {
        Found found = find(sequence, entry);
        if (found == Found.OWN) {
          return;
        } else if (found == Found.ANOTHER) {
          throw new Overtaken("another node has appended entry " + sequence);
        }
      } catch (LogUnavailable e) {
        LOG.warn("Entry {} waits, since the log cannot be reached: {}", sequence, e.getMessage());
      }
      doubt.pause();
    }
  }

  /** Which entry the log has with a number. */
  private enum Found {
    OWN,
    ANOTHER,
    UNKNOWN
  }

  private Found find(long sequence, byte[] entry) {
    try {
      List<byte[]> found = log.read(sequence, READ_TIMEOUT);
      if (found.isEmpty()) {
        return Found.UNKNOWN;
      }
      return Arrays.equals(found.get(0), entry) ? Found.OWN : Found.ANOTHER;
    } catch (EntriesGone e) {
      return Found.ANOTHER;
    } catch (LogUnavailable e) {
      return Found.UNKNOWN;
    }
  }
}
