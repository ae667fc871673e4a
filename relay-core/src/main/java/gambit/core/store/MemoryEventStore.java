package gambit.core.store;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
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
  public long visibleOffset() {
    return changedUpTo;
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
    return bytes < maxBytesForClients();
  }

  /** Clients cannot fill the last sixteenth of the store, which is reserved for the relay. */
  private long maxBytesForClients() {
    return maxBytes - maxBytes / 16;
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

  private static String rowName(String table, byte[] key) {
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
    return new MemoryTransaction();
  }

  @Override
  public boolean reclaim(Instant now) {
    return false;
  }

  @Override
  public void close() {}

  private static long heapBytes(Event event) {
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
    public Page next(int max, int maxBytes, int maxExamined) {
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
        if (++examined == maxExamined || found.size() == max || bytes >= maxBytes) {
          return new Page(found, false, examined);
        }
      }
      return new Page(found, true, examined);
    }
  }

  /** Keeps the changes of a transaction apart from the store until the commit. */
  private final class MemoryTransaction implements Transaction {
    private final Map<EventId, StoredEvent> added = new HashMap<>();
    private final Map<EventId, StoredEvent> removed = new HashMap<>();
    private final Map<Address, StoredEvent> addresses = new HashMap<>();
    private final Map<String, Optional<byte[]>> newRows = new HashMap<>();
    private long nextOffset = lastOffset + 1;
    private long newBytes = bytes;

    @Override
    public Optional<StoredEvent> byId(EventId id) {
      StoredEvent stored = added.get(id);
      if (stored == null && !removed.containsKey(id)) {
        stored = byId.get(id);
      }
      return Optional.ofNullable(stored);
    }

    @Override
    public Optional<StoredEvent> byAddress(Address address) {
      StoredEvent stored = addresses.get(address);
      if (stored == null) {
        stored = byAddress.get(address);
      }
      return Optional.ofNullable(stored).filter(this::isStored);
    }

    @Override
    public List<StoredEvent> find(Filter filter, int max) {
      return MemorySnapshot.firstMatching(
          visibleEvents().iterator(), stored -> filter.matches(stored.event()), max);
    }

    @Override
    public List<StoredEvent> expired(long seconds, int max) {
      return MemorySnapshot.firstMatching(
          visibleEvents().iterator(), stored -> stored.expiresAt() <= seconds, max);
    }

    @Override
    public List<StoredEvent> oldest(int max) {
      return MemorySnapshot.firstMatching(
          visibleEvents().descendingIterator(), stored -> true, max);
    }

    private ConcurrentSkipListSet<StoredEvent> visibleEvents() {
      ConcurrentSkipListSet<StoredEvent> all = new ConcurrentSkipListSet<>(inServingOrder);
      all.removeAll(removed.values());
      all.addAll(added.values());
      return all;
    }

    private boolean isStored(StoredEvent stored) {
      return byId(stored.event().id()).filter(it -> it.offset() == stored.offset()).isPresent();
    }

    @Override
    public boolean hasRoomFor(
        List<Event> events, List<StoredEvent> replaced, boolean mayUseReserve) {
      long limit = mayUseReserve ? maxBytes : maxBytesForClients();
      long additionalBytes =
          events.stream().mapToLong(MemoryEventStore::heapBytes).sum()
              - replaced.stream().mapToLong(stored -> heapBytes(stored.event())).sum();
      return additionalBytes <= 0 || newBytes + additionalBytes <= limit;
    }

    @Override
    public long append(Event event, long expiresAt) {
      if (event.createdAt() >= TIMESTAMP_BOUND) {
        throw new IllegalArgumentException("created_at is too large for a store");
      }
      StoredEvent stored = new StoredEvent(nextOffset++, event, expiresAt);
      added.put(event.id(), stored);
      Address.of(event).ifPresent(address -> addresses.put(address, stored));
      newBytes += heapBytes(event);
      return stored.offset();
    }

    @Override
    public void remove(StoredEvent stored, Removal removal) {
      if (!isStored(stored)) {
        return;
      }
      EventId id = stored.event().id();
      if (added.remove(id) == null) {
        removed.put(id, stored);
      }
      Address.of(stored.event()).ifPresent(address -> addresses.remove(address, stored));
      newBytes -= heapBytes(stored.event());
    }

    @Override
    public void eraseRemoved() {}

    @Override
    public Optional<byte[]> row(String table, byte[] key) {
      String name = rowName(table, key);
      Optional<byte[]> changed = newRows.get(name);
      return (changed != null ? changed : Optional.ofNullable(rows.get(name))).map(byte[]::clone);
    }

    @Override
    public void putRow(String table, byte[] key, byte[] value) {
      newRows.put(rowName(table, key), Optional.of(value.clone()));
    }

    @Override
    public void removeRow(String table, byte[] key) {
      newRows.put(rowName(table, key), Optional.empty());
    }

    @Override
    public void commit() {
      // First, so that a reader that misses a removed event knows the offset to wait for.
      lastOffset = nextOffset - 1;
      removed.forEach(
          (id, stored) -> {
            byId.remove(id);
            byOffset.remove(stored.offset());
            inServingOrder.remove(stored);
            Address.of(stored.event()).ifPresent(address -> byAddress.remove(address, stored));
          });
      byAddress.putAll(addresses);
      byId.putAll(added);
      added.values().forEach(stored -> byOffset.put(stored.offset(), stored));
      inServingOrder.addAll(added.values());
      recentRemovals.add(removed.values().stream().map(StoredEvent::offset).toList());
      changedUpTo = lastOffset;
      newRows.forEach(
          (key, value) -> value.ifPresentOrElse(it -> rows.put(key, it), () -> rows.remove(key)));
      bytes = newBytes;
    }

    @Override
    public void close() {}
  }
}
