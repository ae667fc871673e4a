package gambit.core.replication;

import gambit.core.feature.Outgoing;
import gambit.core.ingest.Replication.Overtaken;
import gambit.core.store.LogGroup;
import gambit.core.store.ReplicatedStore;
import gambit.core.store.ReplicatedTransaction;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The commits of a leader: each becomes an entry of the shared log, and then a group of its own
 * log. The writer's thread only.
 */
final class LeaderCommits {
  private final ReplicatedStore store;
  private final NodeState node;
  private final long number;
  private final InstantSource time;
  private final LogAppender appender;
  private final Consumer<String> onOvertaken;
  private final LeaderStates states = new LeaderStates();
  private final Deque<byte[]> rest = new ArrayDeque<>(0); // effects of the last commit
  private volatile boolean isAppending;
  private volatile boolean isCommitting;
  private final RemoteReports reports;
  private final OutputEncoder encoder;

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
      LogAppender.Doubt doubt,
      Consumer<String> onOvertaken) {
    this.store = store;
    this.node = node;
    this.number = parts.node();
    this.reports = new RemoteReports(parts.firstNumber());
    this.encoder = new OutputEncoder(reports, parts.log().maxEntryBytes());
    this.time = time;
    this.appender = new LogAppender(parts.log(), doubt);
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

  /**
   * Commits a transaction with the output that follows, if there is anything to commit or to tell
   * other nodes. What does not fit into one entry is committed by {@link #commitRest}.
   *
   * @return the output for this node
   * @throws Overtaken when another node has taken over
   * @throws IOException when there is no room; nothing is changed
   */
  List<Outgoing> commit(ReplicatedTransaction transaction, List<Outgoing> outgoing)
      throws IOException {
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

  /**
   * Commits the effects of the last commit that are not in the log yet, and the current states for
   * nodes that have none.
   *
   * @throws Overtaken when another node has taken over
   * @throws IOException when there is no room
   */
  void commitRest() throws IOException {
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
      appender.append(sequence, entry.encode());
    } catch (Overtaken e) {
      onOvertaken.accept(e.toString());
      throw e;
    } finally {
      isAppending = false;
    }
  }
}
