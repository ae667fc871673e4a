package gambit.core.replication;

import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.ingest.StorageRules;
import gambit.core.live.Delivery;
import gambit.core.log.LimitedLog;
import gambit.core.replication.NodeState.Role;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.EventStore.AppliedGroup.RowName;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.StoreFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Applies entries of the shared log to a follower: first their groups to the store, then what
 * follows from each, in order. The writer's thread only.
 */
final class EntryApplier {
  private static final LimitedLog LOG = LimitedLog.of(EntryApplier.class);

  private final EventStore store;
  private final StorageRules rules;
  private final Delivery live;
  private final OutputDecoder decoder;
  private final RowListeners rowListeners;
  private List<Outgoing> outgoing = new ArrayList<>();
  private List<Runnable> settled = new ArrayList<>(0); // once the output is released

  EntryApplier(
      EventStore store,
      StorageRules rules,
      Delivery live,
      OutputDecoder decoder,
      RowListeners rowListeners) {
    this.store = store;
    this.rules = rules;
    this.live = live;
    this.decoder = decoder;
    this.rowListeners = rowListeners;
  }

  /** Applies what a node has read of the log, until the node is overtaken. */
  void follow(List<Entry> read, ClusterNode node) {
    NodeState state = node.state();
    List<Entry> entries =
        read.stream().filter(entry -> entry.group().sequence() > state.applied()).toList();
    if (entries.isEmpty() || state.role() == Role.OVERTAKEN) {
      return;
    }
    node.requireFollowing(entries.get(0));
    apply(entries, state.epoch(), node::begin);
    state.setApplied(store.logEnd().sequence());
    node.takeOverIfDue();
  }

  /**
   * Applies those of some entries in a row that the store does not have yet.
   *
   * @param newEpoch receives each takeover, in its place among the entries
   * @throws StoreFailure when this node cannot go on: its copy differs from the log, or there is no
   *     room
   */
  void apply(List<Entry> entries, long epoch, Consumer<Entry> newEpoch) {
    List<Entry> next = next(entries, epoch);
    if (next.isEmpty()) {
      return;
    }
    List<AppliedGroup> applied = applyGroups(next);
    long current = epoch;
    for (int i = 0; i < next.size(); i++) {
      Entry entry = next.get(i);
      if (entry.epoch() > current) {
        release(entry.group().offset() - 1); // later events are in the store, too
        current = entry.epoch();
        follow(applied.get(i));
        newEpoch.accept(entry);
      } else {
        follow(applied.get(i));
      }
      decoder.decode(entry.effects(), applied.get(i).added(), outgoing, settled);
    }
    release(store.lastOffset());
  }

  private void release(long lastOffset) {
    live.release(outgoing, lastOffset, () -> {});
    outgoing = new ArrayList<>();
    List<Runnable> due = settled;
    settled = new ArrayList<>(0);
    due.forEach(EntryApplier::run);
  }

  private static void run(Runnable settlement) {
    try {
      settlement.run();
    } catch (RuntimeException e) {
      LOG.error("A request could not be settled; this is a bug", e);
    }
  }

  /** The entries that the store does not have; each follows the one before it. */
  private List<Entry> next(List<Entry> entries, long epoch) {
    LogEnd end = store.logEnd();
    long sequence = end.sequence();
    int checksum = end.checksum();
    long currentEpoch = epoch;
    List<Entry> next = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      LogGroup group = entry.group();
      if (group.sequence() <= sequence) {
        continue;
      }
      if (group.sequence() != sequence + 1) {
        break; // the reader begins again after the last entry that was applied
      }
      boolean differs =
          (next.isEmpty() && group.offset() != end.offset())
              || (checksum != 0
                  && entry.previousChecksum() != 0
                  && entry.previousChecksum() != checksum)
              || entry.epoch() < currentEpoch;
      if (differs) {
        throw differs(sequence);
      }
      next.add(entry);
      sequence++;
      checksum = group.checksum();
      currentEpoch = entry.epoch();
    }
    return next;
  }

  private static StoreFailure differs(long sequence) {
    return new StoreFailure(
        ("this node's copy of the log differs from the cluster's at group %s; move its data directory"
                + " away, except for relay.key and house.key, and start it again, so that it fetches a"
                + " copy")
            .formatted(sequence));
  }

  private List<AppliedGroup> applyGroups(List<Entry> entries) {
    try {
      return store.apply(entries.stream().map(Entry::group).toList());
    } catch (IOException e) {
      throw new StoreFailure("there is no room for the log of the cluster", e);
    } catch (IllegalArgumentException e) {
      throw differs(entries.get(0).group().sequence() - 1);
    }
  }

  private void follow(AppliedGroup group) {
    rules.applied(group);
    List<Row> changed = new ArrayList<>();
    for (RowName row : group.rows()) {
      if (rowListeners.has(row.table())) {
        changed.add(
            new Row(row.table(), row.key(), store.row(row.table(), row.key()).orElse(null)));
      }
    }
    rowListeners.changed(changed);
  }

  /**
   * The features that are notified of rows which other nodes have changed. The writer's thread
   * only, except during installation.
   */
  static final class RowListeners {

    private final Map<String, List<Consumer<Map<String, Optional<byte[]>>>>> byTable =
        new HashMap<>();

    void add(String table, Consumer<Map<String, Optional<byte[]>>> changed) {
      byTable.computeIfAbsent(table, name -> new ArrayList<>(1)).add(changed);
    }

    boolean has(String table) {
      return byTable.containsKey(table);
    }

    void changed(List<Row> rows) {
      Map<String, Map<String, Optional<byte[]>>> changed = new HashMap<>();
      for (Row row : rows) {
        if (has(row.table())) {
          changed
              .computeIfAbsent(row.table(), name -> new HashMap<>())
              .put(HexFormat.of().formatHex(row.key()), Optional.ofNullable(row.value()));
        }
      }
      changed.forEach(
          (table, ofTable) ->
              byTable.getOrDefault(table, List.of()).forEach(it -> notify(it, table, ofTable)));
    }

    private static void notify(
        Consumer<Map<String, Optional<byte[]>>> listener,
        String table,
        Map<String, Optional<byte[]>> changed) {
      try {
        listener.accept(changed);
      } catch (RuntimeException e) { // as of rows that a newer program has written
        LOG.error("A feature could not follow rows of the table {}", table, e);
      }
    }
  }
}
