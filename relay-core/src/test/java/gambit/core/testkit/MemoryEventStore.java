package gambit.core.testkit;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.RecentRemovals;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An event store in memory that is simple enough to be obviously correct: one set in serving order,
 * which every query scans. Nothing survives the process. It is the oracle of the store on disk.
 *
 * <p>Bound: the estimated heap of its events. Threads: see {@link EventStore}; readers never wait
 * for the writer.
 */
public final class MemoryEventStore implements EventStore {
  /** Approximate heap of an event beyond its encoding and its tags. */
  private static final int EVENT_OVERHEAD_BYTES = 512;

  /** Approximate heap of a tag or of one of its values beyond its text. */
  private static final int TAG_OVERHEAD_BYTES = 64;

  private final ConcurrentSkipListSet<StoredEvent> inServingOrder =
      new ConcurrentSkipListSet<>(StoredEvent.SERVING_ORDER);
  private final ConcurrentHashMap<EventId, StoredEvent> byId = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<Long, StoredEvent> byOffset = new ConcurrentSkipListMap<>();
  private final Map<Address, StoredEvent> byAddress = new HashMap<>(); // the writer's thread only
  private final ConcurrentHashMap<String, byte[]> rows = new ConcurrentHashMap<>();
  private final RecentRemovals recentRemovals = new RecentRemovals();
  private final long maxBytes;
  private volatile long bytes;
  private volatile long lastOffset;
  private volatile long changedUpTo; // the offset of the last commit whose changes are visible
  private long sequence; // the number of groups; the writer's thread only
  private @Nullable LogGroup newestGroup; // the writer's thread only

  /**
   * Creates an empty store.
   *
   * @param maxBytes bound on the estimated heap of its events
   */
  public MemoryEventStore(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public boolean contains(EventId id) {
    return byId.containsKey(id);
  }

  @Override
  public long lastOffset() {
    return lastOffset;
  }

  @Override
  public RecentRemovals recentRemovals() {
    return recentRemovals;
  }

  @Override
  public long size() {
    return byId.size();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long damagedRecords() {
    return 0;
  }

  @Override
  public boolean hasRoomForClients() {
    return bytes < maxBytes(false);
  }

  /** Clients cannot fill the last sixteenth of the store, which is reserved for the relay. */
  long maxBytes(boolean withReserve) {
    return withReserve ? maxBytes : maxBytes - maxBytes / 16;
  }

  @Nullable StoredEvent storedById(EventId id) {
    return byId.get(id);
  }

  /** The writer's thread only. */
  @Nullable StoredEvent storedByAddress(Address address) {
    return byAddress.get(address);
  }

  NavigableSet<StoredEvent> inServingOrder() {
    return inServingOrder;
  }

  @Override
  public Query query(Filter filter, long upTo) {
    return new ScanQuery(stored -> stored.offset() <= upTo && filter.matches(stored.event()));
  }

  @Override
  public Optional<StoredEvent> byOffset(long offset) {
    return Optional.ofNullable(byOffset.get(offset));
  }

  /** Removals are always missing: removed events leave nothing behind. */
  @Override
  public Changes changes(long after, KindSet kinds, int max) {
    long end = changedUpTo;
    List<StoredEvent> added = new ArrayList<>();
    for (StoredEvent stored : byOffset.tailMap(after, false).values()) {
      if (stored.offset() > end) {
        break;
      }
      if (added.size() >= max) {
        return new Changes(added, List.of(), stored.offset() - 1);
      }
      if (kinds.contains(stored.event().kind())) {
        added.add(stored);
      }
    }
    return new Changes(added, List.of(), Math.max(after, end));
  }

  @Override
  public StoreSnapshot snapshot() {
    return new MemorySnapshot(new ArrayList<>(inServingOrder));
  }

  @Override
  public Optional<byte[]> row(String table, byte[] key) {
    return Optional.ofNullable(rows.get(rowName(table, key))).map(byte[]::clone);
  }

  static String rowName(String table, byte[] key) {
    EventStore.requireValidRowName(table, key);
    return table + "/" + HexFormat.of().formatHex(key);
  }

  @Override
  public Map<String, byte[]> rows(String table) {
    String prefix = table + "/";
    Map<String, byte[]> found = new TreeMap<>();
    rows.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            found.put(key.substring(prefix.length()), value.clone());
          }
        });
    return found;
  }

  @Override
  public Transaction begin() {
    return new MemoryTransaction(this);
  }

  @Override
  public LogEnd logEnd() {
    LogGroup newest = newestGroup;
    return new LogEnd(sequence, lastOffset + 1, newest == null ? 0 : newest.checksum());
  }

  /** The number of the next group. The writer's thread only. */
  long nextSequence() {
    return sequence + 1;
  }

  @Override
  public List<AppliedGroup> apply(List<LogGroup> groups) {
    List<AppliedGroup> applied = new ArrayList<>();
    MemoryTransaction transaction = new MemoryTransaction(this);
    for (LogGroup group : groups) {
      if (group.sequence() != sequence + applied.size() + 1
          || group.offset() != transaction.nextOffset()) {
        throw new IllegalArgumentException(
            "group " + group.sequence() + " does not follow the one before it");
      }
      applied.add(transaction.apply(group));
    }
    if (!groups.isEmpty()) {
      publish(transaction, groups.get(groups.size() - 1));
    }
    return applied;
  }

  /** Makes the changes of a transaction visible, of which that is the last group. */
  void publish(MemoryTransaction changes, LogGroup newest) {
    sequence = newest.sequence();
    newestGroup = newest;
    // First, so that a reader that misses a removed event knows the offset to wait for.
    lastOffset = changes.nextOffset() - 1;
    for (StoredEvent stored : changes.removed()) {
      byId.remove(stored.event().id());
      byOffset.remove(stored.offset());
      inServingOrder.remove(stored);
      Address.of(stored.event()).ifPresent(address -> byAddress.remove(address, stored));
    }
    byAddress.putAll(changes.addresses());
    changes.storedAfter().forEach(stored -> byId.put(stored.event().id(), stored));
    changes.storedAfter().forEach(stored -> byOffset.put(stored.offset(), stored));
    inServingOrder.addAll(changes.storedAfter());
    recentRemovals.add(changes.removed().stream().map(StoredEvent::offset).toList());
    changedUpTo = lastOffset;
    changes
        .rows()
        .forEach(
            (key, value) -> value.ifPresentOrElse(it -> rows.put(key, it), () -> rows.remove(key)));
    bytes = changes.bytes();
  }

  @Override
  public boolean reclaim(Instant now) {
    return false;
  }

  @Override
  public void close() {}

  static long heapBytes(Event event) {
    long values = event.tags().size();
    for (List<String> tag : event.tags().list()) {
      values += tag.size();
    }
    return EVENT_OVERHEAD_BYTES + 2L * event.json().length + TAG_OVERHEAD_BYTES * values;
  }

  /** A scan of the set, one page at a time. */
  private final class ScanQuery implements Query {
    private final Predicate<StoredEvent> condition;
    private @Nullable StoredEvent last;

    ScanQuery(Predicate<StoredEvent> condition) {
      this.condition = condition;
    }

    @Override
    public Page next(int max, int maxBytes) {
      List<StoredEvent> found = new ArrayList<>();
      int examined = 0;
      int bytes = 0;
      var rest = last == null ? inServingOrder : inServingOrder.tailSet(last, false);
      for (StoredEvent stored : rest) {
        if (condition.test(stored)) {
          found.add(stored);
          bytes += stored.event().json().length;
        }
        last = stored;
        if (++examined == PAGE_ENTRIES || found.size() == max || bytes >= maxBytes) {
          return new Page(found, false, examined);
        }
      }
      return new Page(found, true, examined);
    }
  }
}
