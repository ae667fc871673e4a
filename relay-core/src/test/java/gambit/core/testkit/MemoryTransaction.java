package gambit.core.testkit;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.LogGroup;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the changes of a transaction of {@link MemoryEventStore} apart from it until the commit:
 * those that are made, or those of groups that are applied.
 */
final class MemoryTransaction implements Transaction {
  private final MemoryEventStore store;
  private final Map<EventId, StoredEvent> added = new HashMap<>();
  private final Map<EventId, StoredEvent> removed = new HashMap<>();
  private final Map<Address, StoredEvent> addresses = new HashMap<>();
  private final Map<String, Optional<byte[]>> rows = new HashMap<>();
  private final Map<Long, StoredEvent> addedByOffset = new HashMap<>(); // by groups applied
  private final List<MemoryChange> changes = new ArrayList<>(); // not those of groups applied
  private final long groupOffset;
  private long nextOffset;
  private long bytes;
  private long recordBytes; // of the changes
  private @Nullable LogGroup prepared;

  MemoryTransaction(MemoryEventStore store) {
    this.store = store;
    this.groupOffset = store.lastOffset() + 1;
    this.nextOffset = groupOffset;
    this.bytes = store.bytes();
  }

  /** The events that are stored after the transaction and not before. */
  Collection<StoredEvent> storedAfter() {
    return added.values();
  }

  /** The events that are stored before the transaction and not after. */
  Collection<StoredEvent> removed() {
    return removed.values();
  }

  Map<Address, StoredEvent> addresses() {
    return addresses;
  }

  /** The new values of rows by their names; nothing for a removed row. */
  Map<String, Optional<byte[]>> rows() {
    return rows;
  }

  /** The offset of the next event. */
  long nextOffset() {
    return nextOffset;
  }

  /** The size of the store with the changes. */
  long bytes() {
    return bytes;
  }

  @Override
  public Optional<StoredEvent> byId(EventId id) {
    StoredEvent stored = added.get(id);
    if (stored == null && !removed.containsKey(id)) {
      stored = store.storedById(id);
    }
    return Optional.ofNullable(stored);
  }

  @Override
  public Optional<StoredEvent> byAddress(Address address) {
    StoredEvent stored = addresses.get(address);
    if (stored == null) {
      stored = store.storedByAddress(address);
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
  public List<StoredEvent> oldest(int max, @Nullable StoredEvent after) {
    NavigableSet<StoredEvent> all = visibleEvents();
    return MemorySnapshot.firstMatching(
        (after == null ? all : all.headSet(after, false)).descendingIterator(),
        stored -> true,
        max);
  }

  private NavigableSet<StoredEvent> visibleEvents() {
    if (added.isEmpty() && removed.isEmpty()) {
      return store.inServingOrder();
    }
    NavigableSet<StoredEvent> all = new ConcurrentSkipListSet<>(store.inServingOrder());
    all.removeAll(removed.values());
    all.addAll(added.values());
    return all;
  }

  private boolean isStored(StoredEvent stored) {
    return byId(stored.event().id()).filter(it -> it.offset() == stored.offset()).isPresent();
  }

  @Override
  public boolean hasRoomFor(List<Event> events, List<StoredEvent> replaced, boolean mayUseReserve) {
    long additionalBytes =
        events.stream().mapToLong(MemoryEventStore::heapBytes).sum()
            - replaced.stream()
                .mapToLong(stored -> MemoryEventStore.heapBytes(stored.event()))
                .sum();
    return additionalBytes <= 0 || bytes + additionalBytes <= store.maxBytes(mayUseReserve);
  }

  @Override
  public long append(Event event, long expiresAt) {
    StoredEvent stored = add(event, expiresAt);
    record(new MemoryChange.Addition(event, expiresAt));
    return stored.offset();
  }

  private void record(MemoryChange change) {
    if (prepared != null) {
      throw new IllegalStateException("the group is complete");
    }
    changes.add(change);
    recordBytes += MemoryChange.maxBytes(change);
  }

  private StoredEvent add(Event event, long expiresAt) {
    if (event.createdAt() >= EventStore.TIMESTAMP_BOUND) {
      throw new IllegalArgumentException("created_at is too large for a store");
    }
    StoredEvent stored = new StoredEvent(nextOffset++, event, expiresAt);
    added.put(event.id(), stored);
    Address.of(event).ifPresent(address -> addresses.put(address, stored));
    bytes += MemoryEventStore.heapBytes(event);
    return stored;
  }

  @Override
  public void remove(StoredEvent stored, Removal removal) {
    if (isStored(stored)) {
      record(new MemoryChange.EventRemoval(stored.offset()));
      remove(stored);
    }
  }

  private void remove(StoredEvent stored) {
    EventId id = stored.event().id();
    if (added.remove(id) == null) {
      removed.put(id, stored);
    }
    Address.of(stored.event()).ifPresent(address -> addresses.remove(address, stored));
    bytes -= MemoryEventStore.heapBytes(stored.event());
  }

  @Override
  public void eraseRemoved() {}

  @Override
  public Optional<byte[]> row(String table, byte[] key) {
    Optional<byte[]> changed = rows.get(MemoryEventStore.rowName(table, key));
    return changed != null ? changed.map(byte[]::clone) : store.row(table, key);
  }

  @Override
  public void putRow(String table, byte[] key, byte[] value) {
    setRow(table, key, Optional.of(value.clone()));
  }

  @Override
  public void removeRow(String table, byte[] key) {
    if (row(table, key).isPresent()) {
      setRow(table, key, Optional.empty());
    }
  }

  private void setRow(String table, byte[] key, Optional<byte[]> value) {
    rows.put(MemoryEventStore.rowName(table, key), value);
    record(new MemoryChange.RowChange(table, key.clone(), value));
  }

  @Override
  public long recordBytes() {
    return recordBytes;
  }

  @Override
  public List<Event> added() {
    return changes.stream()
        .filter(MemoryChange.Addition.class::isInstance)
        .map(change -> ((MemoryChange.Addition) change).event())
        .toList();
  }

  @Override
  public LogGroup prepare() {
    if (prepared == null) {
      prepared =
          new LogGroup(
              store.nextSequence(), groupOffset, changes.size(), MemoryChange.encode(changes));
    }
    return prepared;
  }

  /** Applies the changes of another store's group that is the next one. */
  AppliedGroup apply(LogGroup group) {
    List<StoredEvent> groupAdded = new ArrayList<>();
    Map<String, AppliedGroup.RowName> groupRows = new LinkedHashMap<>();
    for (MemoryChange change : MemoryChange.decode(group)) {
      if (change instanceof MemoryChange.Addition addition) {
        if (byId(addition.event().id()).isPresent()) {
          throw new IllegalArgumentException("the event is stored: " + addition.event().id().hex());
        }
        StoredEvent stored = add(addition.event(), addition.expiresAt());
        addedByOffset.put(stored.offset(), stored);
        groupAdded.add(stored);
      } else if (change instanceof MemoryChange.EventRemoval removal) {
        long target = removal.offset();
        StoredEvent own = addedByOffset.get(target);
        Optional<StoredEvent> stored = own != null ? Optional.of(own) : store.byOffset(target);
        remove(
            stored
                .filter(this::isStored)
                .orElseThrow(
                    () -> new IllegalArgumentException("no event is stored at offset " + target)));
      } else if (change instanceof MemoryChange.RowChange row) {
        String name = MemoryEventStore.rowName(row.table(), row.key());
        rows.put(name, row.value());
        groupRows.put(name, new AppliedGroup.RowName(row.table(), row.key()));
      }
    }
    return new AppliedGroup(groupAdded, List.copyOf(groupRows.values()));
  }

  @Override
  public void commit() {
    if (prepared != null || !changes.isEmpty()) {
      store.publish(this, prepare());
    }
  }

  @Override
  public void close() {}
}
