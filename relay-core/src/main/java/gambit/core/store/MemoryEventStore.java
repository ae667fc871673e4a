package gambit.core.store;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * An event store in memory that is obviously right: one set in serving order, and every query a
 * walk along it. Nothing survives the process. It is the oracle of every faster store.
 *
 * <p>Bounded by an estimate of the heap that its events take. Threads: as {@link EventStore} says;
 * readers never wait for the writer.
 */
public final class MemoryEventStore implements EventStore {
  /** Heap of an event beyond its encoding and its tags, about. */
  private static final int OVERHEAD = 512;

  /** Heap of a tag or of one of its values beyond its text, about. */
  private static final int TAG_OVERHEAD = 64;

  /** Entries that one page may look at. */
  private static final int SCAN = 2_000;

  private final ConcurrentSkipListSet<StoredEvent> inServingOrder =
      new ConcurrentSkipListSet<>(StoredEvent.SERVING_ORDER);
  private final ConcurrentHashMap<EventId, StoredEvent> byId = new ConcurrentHashMap<>();
  private final Map<Address, StoredEvent> byAddress = new HashMap<>(); // the writer's thread only
  private final long maxBytes;
  private long bytes; // the writer's thread only
  private volatile long lastOffset;

  /** An empty store that takes events of about so many bytes of heap. */
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
  public long size() {
    return byId.size();
  }

  @Override
  public Page page(Filter filter, long upTo, @Nullable StoredEvent after, int max) {
    List<StoredEvent> found = new ArrayList<>();
    int examined = 0;
    var rest = after == null ? inServingOrder : inServingOrder.tailSet(after, false);
    for (StoredEvent stored : rest) {
      if (stored.offset() <= upTo && filter.matches(stored.event())) {
        found.add(stored);
      }
      if (++examined == SCAN || found.size() == max) {
        return new Page(found, stored, examined);
      }
    }
    return new Page(found, null, examined);
  }

  @Override
  public Transaction begin() {
    return new Changes();
  }

  @Override
  public void close() {}

  private static long cost(Event event) {
    long values = event.tags().size();
    for (List<String> tag : event.tags().list()) {
      values += tag.size();
    }
    return OVERHEAD + 2L * event.json().length + TAG_OVERHEAD * values;
  }

  /** What a transaction has changed so far, beside the store until the commit. */
  private final class Changes implements Transaction {
    private final Map<EventId, StoredEvent> added = new HashMap<>();
    private final Map<EventId, StoredEvent> removed = new HashMap<>();
    private final Map<Address, StoredEvent> addresses = new HashMap<>();
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
      return Optional.ofNullable(stored).filter(it -> byId(it.event().id()).isPresent());
    }

    @Override
    public boolean hasRoomFor(
        List<Event> events, List<StoredEvent> inPlaceOf, boolean mayUseReserve) {
      long room = mayUseReserve ? maxBytes : maxBytes - maxBytes / 16;
      long more =
          events.stream().mapToLong(MemoryEventStore::cost).sum()
              - inPlaceOf.stream().mapToLong(stored -> cost(stored.event())).sum();
      return more <= 0 || newBytes + more <= room;
    }

    @Override
    public long append(Event event) {
      StoredEvent stored = new StoredEvent(nextOffset++, event);
      added.put(event.id(), stored);
      Address.of(event).ifPresent(address -> addresses.put(address, stored));
      newBytes += cost(event);
      return stored.offset();
    }

    @Override
    public void remove(StoredEvent stored) {
      if (added.remove(stored.event().id()) == null) {
        removed.put(stored.event().id(), stored);
      }
      newBytes -= cost(stored.event());
    }

    @Override
    public void commit() {
      lastOffset = nextOffset - 1; // first: whoever misses what is removed knows how far to wait
      removed.forEach(
          (id, stored) -> {
            byId.remove(id);
            inServingOrder.remove(stored);
            Address.of(stored.event()).ifPresent(address -> byAddress.remove(address, stored));
          });
      byAddress.putAll(addresses);
      byId.putAll(added);
      inServingOrder.addAll(added.values());
      bytes = newBytes;
    }

    @Override
    public void close() {}
  }
}
