package gambit.core.replication;

import gambit.core.feature.Outgoing;
import gambit.core.ingest.Replication;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.replication.SharedLog.EntriesGone;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.StoreFailure;
import gambit.core.store.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The commits of a leader: each becomes an entry of the shared log, and then a group of its own
 * log. While it is unknown whether an entry was appended, nothing else is decided. The first entry
 * of a leader is its takeover. The writer's thread only. Bound: the states that features keep.
 */
final class LeaderCommits implements Replication {
  private static final LimitedLog LOG = LimitedLog.of(LeaderCommits.class);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);

  private final EventStore store;
  private final NodeState node;
  private final ClusterMembership membership;
  private final InstantSource time;
  private final SharedLog log;
  private final Runnable pause;
  private final Consumer<String> onOvertaken;
  private final Map<StateKey, Outgoing.Current> states = new LinkedHashMap<>();
  private final Set<Long> newcomers = new LinkedHashSet<>(1); // nodes that have no states yet
  private final Deque<byte[]> rest = new ArrayDeque<>(0); // effects of the last commit
  private volatile boolean isAppending;
  private volatile boolean isCommitting;
  private final RemoteReports reports;
  private final OutputEncoder encoder;

  private record StateKey(int kind, String key) {}

  /**
   * The commits of a node that may lead.
   *
   * @param pause waits a moment, while it is unknown whether an entry was appended; throws {@link
   *     Overtaken} if the node is to end meanwhile
   */
  LeaderCommits(
      ClusterMembership membership,
      EventStore store,
      NodeState node,
      InstantSource time,
      Runnable pause,
      Consumer<String> onOvertaken) {
    this.store = store;
    this.node = node;
    this.membership = membership;
    this.reports = new RemoteReports(membership.firstNumber());
    this.encoder = new OutputEncoder(reports, membership.log().maxEntryBytes());
    this.time = time;
    this.log = membership.log();
    this.pause = pause;
    this.onOvertaken = onOvertaken;
  }

  RemoteReports reports() {
    return reports;
  }

  /** {@inheritDoc} What does not fit into one entry is committed by {@link #commitRest}. */
  @Override
  public List<Outgoing> commit(Transaction transaction, Supplier<List<Outgoing>> output)
      throws IOException {
    List<Outgoing> outgoing = output.get();
    LogGroup group = transaction.prepare();
    OutputEncoder.Split split =
        encoder.split(outgoing, transaction.added(), group.records().length);
    if (group.count() > 0 || split.parts().get(0).length > 0) {
      append(transaction, group, split.parts().get(0));
      rest.addAll(split.parts().subList(1, split.parts().size()));
      followStates(split.local());
    }
    return split.local();
  }

  void followStates(List<Outgoing> outgoing) {
    for (Outgoing item : outgoing) {
      if (item instanceof Outgoing.Current it && !it.ends()) {
        states.put(new StateKey(it.kind(), it.key()), it);
      } else if (item instanceof Outgoing.Current it) {
        states.remove(new StateKey(it.kind(), it.key()));
      } else if (item instanceof Outgoing.StateRemoval it) {
        states.remove(new StateKey(it.kind(), it.key()));
      }
    }
  }

  /** A node gets all current states before the next batch. */
  void sendStatesTo(long newcomer) {
    newcomers.add(newcomer);
  }

  /** {@inheritDoc} These are the current states, for nodes that have none. */
  @Override
  public void commitRest() throws IOException {
    for (long newcomer : newcomers) {
      List<Outgoing> output = new ArrayList<>();
      for (Outgoing.Current it : states.values()) {
        Event unsigned = it.state().get().unsigned();
        output.add(new Effect.Current(newcomer, it, unsigned));
      }
      output.add(new Effect.StatesEnd(newcomer));
      rest.addAll(encoder.split(output, List.of(), 0).parts());
    }
    newcomers.clear();
    while (!rest.isEmpty()) {
      try (Transaction transaction = store.begin()) {
        append(transaction, transaction.prepare(), rest.remove());
      }
    }
  }

  /**
   * Tries to take over: returns the entry that was appended, to be applied like any other; nothing
   * if there is more to follow, another node was first, or the log cannot be reached.
   */
  Optional<Entry> takeOver() {
    try {
      if (log.range().last() > node.applied()) {
        return Optional.empty();
      }
      LogEnd end = store.logEnd();
      long epoch = node.epoch() + 1;
      LogGroup group = takeover(epoch);
      Entry entry =
          new Entry(epoch, membership.node(), time.millis(), end.checksum(), group, new byte[0]);
      log.append(end.sequence(), entry.encode());
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

  private LogGroup takeover(long epoch) throws IOException {
    try (Transaction transaction = store.begin()) {
      if (ClusterRow.id(transaction).isEmpty()) {
        transaction.putRow(ClusterRow.TABLE, ClusterRow.ID, membership.id());
      }
      transaction.putRow(
          ClusterRow.TABLE, ClusterRow.LEADER, ClusterRow.leader(epoch, membership.node()));
      return transaction.prepare();
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

  private void append(Transaction transaction, LogGroup group, byte[] effects) throws IOException {
    Entry entry =
        new Entry(
            node.epoch(),
            membership.node(),
            time.millis(),
            store.logEnd().checksum(),
            group,
            effects);
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

  /** Appends an entry, which must get that number; else another node leads. */
  private void appendWithoutDoubt(long sequence, byte[] entry) {
    while (true) {
      try {
        log.append(sequence - 1, entry);
        return;
      } catch (SharedLog.Overtaken e) {
        Optional<byte[]> found = find(sequence);
        if (found.isPresent() && Arrays.equals(found.get(), entry)) {
          return;
        } else if (found.isPresent()) {
          throw new Overtaken("another node has appended entry " + sequence);
        }
      } catch (LogUnavailable e) {
        LOG.warn("Entry {} waits, since the log cannot be reached: {}", sequence, e.getMessage());
      }
      pause.run();
    }
  }

  /** The entry with that number, empty if it is gone; nothing if that is unknown. */
  private Optional<byte[]> find(long sequence) {
    try {
      return log.read(sequence, READ_TIMEOUT).stream().findFirst();
    } catch (EntriesGone e) {
      return Optional.of(new byte[0]);
    } catch (LogUnavailable e) {
      return Optional.empty();
    }
  }
}
