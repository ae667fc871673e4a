package gambit.core.store.disk;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.store.EventStore;
import gambit.core.store.LogGroup;
import gambit.core.store.StoreFailure;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.IndexWriter;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.log.EventLog;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordFilter;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import gambit.core.store.disk.query.StoreView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A write transaction of the store on disk. Changes go into a transaction of the index, so that
 * this transaction sees them, and into a group. {@link #commit} appends the group to the log, syncs
 * the log, and only then commits the index, in memory. Everything that may lack room comes before
 * that, so that it can also be done by {@link #prepare}.
 */
final class DiskTransaction extends StoreView implements Transaction {
  private final DiskEventStore store;
  private final EventLog log;
  private final RecordGroup group;
  private final LogView view;
  private final IndexWriter index;
  private final IndexUpdate update;
  private final long groupOffset;
  private final List<Event> added = new ArrayList<>();
  private final List<Long> removedEvents = new ArrayList<>(0); // offsets from before the group
  private long deadBytesInGroup;
  private long erasedInGroupAt;
  private @Nullable Boolean hasRoomForClients;
  private boolean isPrepared;
  private long syncNanos;

  DiskTransaction(
      DiskEventStore store, RecordGroup group, EventLog log, LogView view, IndexWriter index) {
    this.store = store;
    this.group = group;
    this.log = log;
    this.view = view;
    this.index = index;
    this.update = index.update();
    this.groupOffset = log.end();
    group.clear();
  }

  @Override
  public IndexView index() {
    return index;
  }

  @Override
  public @Nullable StoredEvent event(long offset, RecordFilter filter) {
    if (offset < groupOffset) {
      return view.event(offset, filter);
    }
    StoredEvent own = event(offset);
    return own != null && filter.filter().matches(own.event()) ? own : null;
  }

  private @Nullable StoredEvent event(long offset) {
    return offset < groupOffset
        ? view.event(offset)
        : LogView.event(group.view(), (int) (offset - groupOffset), offset);
  }

  @Override
  public Optional<StoredEvent> byId(EventId id) {
    return first(Table.ID, index.keys().idPrefix(id), it -> it.id().equals(id));
  }

  @Override
  public Optional<StoredEvent> byAddress(Address address) {
    return first(
        Table.ADDRESS,
        index.keys().addressPrefix(address),
        it -> Address.of(it).filter(address::equals).isPresent());
  }

  /** The first event under a prefix that is wanted, since hashes may collide. */
  private Optional<StoredEvent> first(Table table, ByteBuffer prefix, Predicate<Event> isWanted) {
    boolean more = index.seek(table, prefix);
    while (more && IndexKeys.startsWith(index.key(table), prefix)) {
      StoredEvent stored = event(IndexKeys.lastOffset(index.key(table)));
      if (stored != null && isWanted.test(stored.event())) {
        return Optional.of(stored);
      }
      more = index.next(table);
    }
    return Optional.empty();
  }

  @Override
  public boolean hasRoomFor(List<Event> events, List<StoredEvent> replaced, boolean mayUseReserve) {
    if (mayUseReserve) {
      return true;
    }
    if (hasRoomForClients == null) {
      hasRoomForClients = store.hasRoomForClients();
    }
    return hasRoomForClients;
  }

  @Override
  public long append(Event event, long expiresAt) {
    if (event.createdAt() >= EventStore.TIMESTAMP_BOUND) {
      throw new IllegalArgumentException("created_at is too large for a store");
    }
    ByteBuffer out = group.reserveRecord(Records.sizeOfEvent(event));
    long offset = groupOffset + out.position();
    Records.putEvent(out, event, expiresAt);
    update.add(new StoredEvent(offset, event, expiresAt));
    added.add(event);
    return offset;
  }

  @Override
  public void remove(StoredEvent stored, Removal removal) {
    long target = stored.offset();
    boolean isOwn = target >= groupOffset;
    Segment segment = view.segmentOf(target);
    ByteBuffer in = isOwn ? group.view() : segment.view();
    int at = isOwn ? (int) (target - groupOffset) : segment.findRecord(target);
    if (at < 0 || !update.remove(stored)) {
      return; // it was removed before
    }
    long erasedAt = removal == Removal.ERASED ? store.nowSeconds() : 0;
    if (isOwn) {
      deadBytesInGroup += Records.size(in, at);
      erasedInGroupAt = Math.max(erasedInGroupAt, erasedAt);
    } else {
      update.addDeadBytes(segment.base(), Records.size(in, at), erasedAt);
      removedEvents.add(target);
    }
    putRemoval(target, erasedAt);
  }

  private void putRemoval(long target, long erasedAt) {
    Records.putRemoval(group.reserveRecord(Records.REMOVAL_BYTES), target, erasedAt);
  }

  @Override
  public void eraseRemoved() {
    long now = store.nowSeconds();
    Records.putErasure(group.reserveRecord(Records.ERASURE_BYTES), now);
    update.eraseRemoved(now);
    erasedInGroupAt = now;
  }

  @Override
  public Optional<byte[]> row(String table, byte[] key) {
    long offset = IndexUpdate.rowOffset(index, table, key);
    if (offset < 0) {
      return Optional.empty();
    }
    return Optional.of(
        offset < groupOffset
            ? view.row(offset)
            : Records.value(group.view(), (int) (offset - groupOffset)));
  }

  @Override
  public void putRow(String table, byte[] key, byte[] value) {
    EventStore.requireValidRowName(table, key);
    removeRowRecord(IndexUpdate.rowOffset(index, table, key));
    ByteBuffer out = group.reserveRecord(Records.sizeOfRow(table, key, value));
    long offset = groupOffset + out.position();
    Records.putRow(out, table, key, value);
    update.putRow(table, key, offset);
  }

  @Override
  public void removeRow(String table, byte[] key) {
    long old = IndexUpdate.rowOffset(index, table, key);
    if (old >= 0) {
      removeRowRecord(old);
      update.removeRow(table, key);
    }
  }

  /** Removes the record of a row, whose entry in the index the caller changes; -1 for none. */
  private void removeRowRecord(long target) {
    if (target < 0) {
      return;
    }
    if (target >= groupOffset) {
      deadBytesInGroup += Records.size(group.view(), (int) (target - groupOffset));
    } else {
      Segment segment = view.segmentOf(target);
      int at = segment.findRecord(target);
      if (at >= 0 && segment.isIntact(at, target)) { // else its length cannot be trusted
        update.addDeadBytes(segment.base(), Records.size(segment.view(), at), 0);
      }
    }
    putRemoval(target, 0);
  }

  @Override
  public long recordBytes() {
    return group.position();
  }

  @Override
  public List<Event> added() {
    return List.copyOf(added);
  }

  @Override
  public LogGroup prepare() throws IOException {
    makeRoom();
    isPrepared = true;
    return group.sealedCopy(log.nextSequence(), groupOffset);
  }

  /** Does everything that may lack room or fail to be read, so that the commit cannot. */
  private void makeRoom() throws IOException {
    store.requireRoomInIndex();
    update.applySums();
    log.reserve(group.size());
    if (group.isEmpty()) {
      update.addDeadBytes(log.activeBase(), RecordGroup.HEAD_BYTES, 0);
    } else if (deadBytesInGroup > 0) {
      update.addDeadBytes(log.activeBase(), deadBytesInGroup, erasedInGroupAt);
    }
  }

  @Override
  public void commit() throws IOException {
    if (!isPrepared) {
      if (group.isEmpty()) {
        return;
      }
      makeRoom();
    }
    try {
      syncNanos = log.append(group);
    } catch (IOException e) {
      if (isPrepared) {
        throw new StoreFailure("a group that other nodes may have could not be stored", e);
      }
      throw e;
    }
    try {
      store.commitIndex(index, groupOffset);
    } catch (RuntimeException e) {
      throw new StoreFailure("the index could not take a commit that is in the log", e);
    }
    store.publishChanges(update, removedEvents);
  }

  @Override
  public long syncNanos() {
    return syncNanos;
  }

  @Override
  public void close() {
    try (view) {
      index.close();
    } finally {
      store.releaseWriteLock();
    }
  }
}
