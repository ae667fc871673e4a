package gambit.core.testkit;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.LogGroup;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.RecentRemovals;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * The store in memory with faults that tests switch on: failing or blocked commits and queries,
 * changes that are not shown, and no room.
 */
public final class FaultyStore implements EventStore {
  private final MemoryEventStore store = new MemoryEventStore(64 << 20);
  private volatile Predicate<Event> failingEvents = event -> false;
  private volatile boolean rowsFail;
  private volatile boolean rowRemovalsFail;
  private volatile boolean removalsFail;
  private volatile boolean isFull;
  private volatile boolean queriesFail;
  private volatile long damagedRecords;
  private volatile boolean hidesChanges;
  private volatile CountDownLatch commitGate = new CountDownLatch(0);
  private volatile CountDownLatch queryGate = new CountDownLatch(0);
  private final AtomicInteger waitingCommits = new AtomicInteger();
  private volatile CountDownLatch commitReturnGate = new CountDownLatch(0);
  private final AtomicInteger waitingQueries = new AtomicInteger();
  private final AtomicInteger snapshots = new AtomicInteger();
  private final AtomicInteger lookUps = new AtomicInteger();
  private final AtomicInteger eventsRead = new AtomicInteger();
  private final AtomicReference<Runnable> afterPage = new AtomicReference<>(() -> {});

  /** Makes commits of matching events fail. */
  public void failCommitsOf(Predicate<Event> events) {
    failingEvents = events;
  }

  /** Makes commits that set rows fail or succeed. */
  public void setRowsFail(boolean fail) {
    rowsFail = fail;
  }

  /** Makes commits that remove rows fail or succeed. */
  public void setRowRemovalsFail(boolean fail) {
    rowRemovalsFail = fail;
  }

  /** Makes commits that remove events fail or succeed. */
  public void setRemovalsFail(boolean fail) {
    removalsFail = fail;
  }

  /** Sets whether the store is full. */
  public void setFull(boolean isFull) {
    this.isFull = isFull;
  }

  /** Makes queries fail or succeed. */
  public void setQueriesFail(boolean fail) {
    queriesFail = fail;
  }

  /** Sets the number of damaged records. */
  public void setDamagedRecords(long count) {
    damagedRecords = count;
  }

  /** Hides what is committed from readers of the changes, or shows it. */
  public void setHidesChanges(boolean hides) {
    hidesChanges = hides;
  }

  /** Makes pages of queries block. */
  public void blockQueries() {
    queryGate = new CountDownLatch(1);
  }

  /** Waits until a query is blocked. */
  public void awaitBlockedQuery() {
    Awaitility.await().until(() -> waitingQueries.get() > 0);
  }

  /** Releases blocked and later ones. */
  public void unblockQueries() {
    queryGate.countDown();
  }

  /** Runs a task once, when the next page has been read, on the thread that has read it. */
  public void afterPage(Runnable task) {
    afterPage.set(task);
  }

  /** The number of single events that have been looked up outside transactions. */
  public int lookUps() {
    return lookUps.get();
  }

  /** The number of events in the pages of queries so far. */
  public int eventsRead() {
    return eventsRead.get();
  }

  /** The number of snapshots opened so far. */
  public int snapshots() {
    return snapshots.get();
  }

  /** Makes commits block before they begin. */
  public void blockCommits() {
    commitGate = new CountDownLatch(1);
  }

  /** Releases blocked and later ones. */
  public void unblockCommits() {
    commitGate.countDown();
  }

  /** Makes commits block after they are done and before they return. */
  public void blockCommitReturns() {
    commitReturnGate = new CountDownLatch(1);
  }

  /** Lets done commits return. */
  public void unblockCommitReturns() {
    commitReturnGate.countDown();
  }

  /** Whether a commit is blocked. */
  public boolean hasBlockedCommit() {
    return waitingCommits.get() > 0;
  }

  private static void awaitGate(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean contains(EventId id) {
    lookUps.incrementAndGet();
    return store.contains(id);
  }

  @Override
  public long lastOffset() {
    return store.lastOffset();
  }

  @Override
  public RecentRemovals recentRemovals() {
    return store.recentRemovals();
  }

  @Override
  public long size() {
    return store.size();
  }

  @Override
  public long bytes() {
    return store.bytes();
  }

  @Override
  public long damagedRecords() {
    return damagedRecords;
  }

  @Override
  public boolean hasRoomForClients() {
    return !isFull && store.hasRoomForClients();
  }

  @Override
  public StoreSnapshot snapshot() {
    if (queriesFail) {
      throw new IllegalStateException("the query is made to fail");
    }
    snapshots.incrementAndGet();
    return store.snapshot();
  }

  @Override
  public Query query(Filter filter, long upTo) {
    if (queriesFail) {
      throw new IllegalStateException("on purpose");
    }
    Query query = store.query(filter, upTo);
    return (max, maxBytes) -> {
      waitingQueries.incrementAndGet();
      awaitGate(queryGate);
      waitingQueries.decrementAndGet();
      Page page = query.next(max, maxBytes);
      eventsRead.addAndGet(page.found().size());
      afterPage.getAndSet(() -> {}).run();
      return page;
    };
  }

  @Override
  public Optional<StoredEvent> byOffset(long offset) {
    lookUps.incrementAndGet();
    return store.byOffset(offset);
  }

  @Override
  public Changes changes(long after, KindSet kinds, int max) {
    return hidesChanges
        ? new Changes(List.of(), List.of(), after)
        : store.changes(after, kinds, max);
  }

  @Override
  public Optional<byte[]> row(String table, byte[] key) {
    return store.row(table, key);
  }

  @Override
  public Map<String, byte[]> rows(String table) {
    return store.rows(table);
  }

  @Override
  public boolean reclaim(Instant now) {
    return store.reclaim(now);
  }

  @Override
  public LogEnd logEnd() {
    return store.logEnd();
  }

  @Override
  public List<AppliedGroup> apply(List<LogGroup> groups) {
    return store.apply(groups);
  }

  @Override
  public Transaction begin() {
    return new FaultyTransaction(store.begin());
  }

  @Override
  public void close() {
    store.close();
  }

  private final class FaultyTransaction implements Transaction {
    private final Transaction transaction;
    private boolean fails;

    FaultyTransaction(Transaction transaction) {
      this.transaction = transaction;
    }

    @Override
    public Optional<StoredEvent> byId(EventId id) {
      return transaction.byId(id);
    }

    @Override
    public Optional<StoredEvent> byAddress(gambit.core.model.Address address) {
      return transaction.byAddress(address);
    }

    @Override
    public boolean hasRoomFor(
        List<Event> events, List<StoredEvent> inPlaceOf, boolean mayUseReserve) {
      return !isFull && transaction.hasRoomFor(events, inPlaceOf, mayUseReserve);
    }

    @Override
    public List<StoredEvent> find(Filter filter, int max) {
      return transaction.find(filter, max);
    }

    @Override
    public List<StoredEvent> expired(long seconds, int max) {
      return transaction.expired(seconds, max);
    }

    @Override
    public List<StoredEvent> oldest(int max, @Nullable StoredEvent after) {
      return transaction.oldest(max, after);
    }

    @Override
    public long append(Event event, long expiresAt) {
      fails |= failingEvents.test(event);
      return transaction.append(event, expiresAt);
    }

    @Override
    public void remove(StoredEvent stored, Removal why) {
      fails |= removalsFail;
      transaction.remove(stored, why);
    }

    @Override
    public void eraseRemoved() {
      transaction.eraseRemoved();
    }

    @Override
    public Optional<byte[]> row(String table, byte[] key) {
      return transaction.row(table, key);
    }

    @Override
    public void putRow(String table, byte[] key, byte[] value) {
      fails |= rowsFail;
      transaction.putRow(table, key, value);
    }

    @Override
    public void removeRow(String table, byte[] key) {
      fails |= rowRemovalsFail;
      transaction.removeRow(table, key);
    }

    @Override
    public LogGroup prepare() throws IOException {
      return transaction.prepare();
    }

    @Override
    public long recordBytes() {
      return transaction.recordBytes();
    }

    @Override
    public List<Event> added() {
      return transaction.added();
    }

    @Override
    public void commit() throws IOException {
      waitingCommits.incrementAndGet();
      awaitGate(commitGate);
      waitingCommits.decrementAndGet();
      if (fails) {
        throw new IOException("the commit fails on purpose");
      }
      transaction.commit();
      awaitGate(commitReturnGate);
    }

    @Override
    public void close() {
      transaction.close();
    }
  }
}
