package gambit.core.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.feature.ClientSession.EventReceiver;
import gambit.core.feature.ClientSession.Reconciliation;
import gambit.core.feature.ClientSession.RunningQuery;
import gambit.core.limit.Limit;
import gambit.core.limit.SharedBudget;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.negentropy.ListItemSet;
import gambit.core.negentropy.NegentropyException;
import gambit.core.negentropy.Position;
import gambit.core.negentropy.Responder;
import gambit.core.store.StoreSnapshot;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One sync of a client (NIP-77). It first lists events, if it must ({@link SyncItems}), and then
 * answers messages, one at a time, in turns on the query lanes like a {@link FeatureQuery}; the
 * first turn waits until the client has taken most of what is queued for it. Between messages it
 * keeps the filter and the list. Confined to the connection's event loop, apart from the turns.
 */
final class SyncSession extends QueryTask implements Reconciliation {
  private static final Reason NO_MEMORY = Reason.error("too many syncs at once, try again later");

  /** Maximum length of an answer: twice as many hex digits fit into a message of 128 KB. */
  private static final int MAX_ANSWER_BYTES = 60_000;

  /** Approximate bytes of a sync without its filter's values, its list and its message. */
  private static final int BASE_BYTES = 4_096;

  /** The cost of a range of a message, besides the entries that are examined for it. */
  private static final int COST_OF_RANGE = 10;

  /** Approximate bytes of an event in the list until it is sorted. */
  private static final int BYTES_PER_ITEM = 128;

  private static final int BYTES_PER_SORTED_ITEM = 64;

  private static final int ITEMS_PER_RESERVATION = 1_024;

  private static final LimitedLog LOG = LimitedLog.of(SyncSession.class);

  private final String verb;
  private final Filter filter;
  private final Receiver receiver;
  private final SyncMemory memory;
  private final boolean isSummed;
  private final ReadGuards.PartlyHidden hidden;
  private final SyncItems items;
  private List<Filter> admitted = List.of();
  private boolean isAdmitted;
  private boolean isReady; // events that must be listed are listed
  private byte @Nullable [] message; // not answered yet
  private RunningQuery listing = () -> {};
  private volatile boolean ended;

  // Of the message, confined to the turns while there is one:
  private ListItemSet.@Nullable Builder unsorted; // list of which no turn was taken yet
  private @Nullable Responder responder;
  private long arrivedNanos;

  SyncSession(Connection connection, String verb, Filter filter, Receiver receiver) {
    super(connection);
    this.verb = verb;
    this.filter = filter;
    this.receiver = receiver;
    this.memory = new SyncMemory(relay.bounds().syncBytes(), connection.owners());
    this.isSummed = SyncItems.canBeSummed(filter, relay.stored().store());
    this.hidden = relay.features().guards().partlyHidden(connection);
    this.items = new SyncItems(relay, filter, isSummed ? hidden.kinds() : null);
  }

  void begin() {
    relay.metrics().syncs.incrementAndGet();
    if (filter.search() != null) {
      fail(Reason.unsupported("a sync cannot search"), null);
    } else if (!memory.reserve(BASE_BYTES)) {
      fail(NO_MEMORY, null);
    } else if (!isSummed) {
      list(List.of(filter));
    } else if (admit(List.of(filter))) {
      List<Filter> partlyHidden = hidden.filters(filter);
      if (partlyHidden.isEmpty()) {
        isReady = true;
      } else {
        list(partlyHidden);
      }
    }
  }

  private boolean admit(List<Filter> filters) {
    Reason objection = connection.admission.admit(filters);
    if (objection != null) {
      fail(objection, null);
      return false;
    }
    admitted = filters;
    isAdmitted = true;
    return true;
  }

  private void list(List<Filter> filters) {
    listing = connection.query(verb, filters, false, new Listing());
  }

  /**
   * Lists the events that a query finds: within the bound of one sync, and in memory that all syncs
   * share. One thread at a time.
   */
  private final class Listing implements EventReceiver {
    private final long limit = filter.limit() == null ? Long.MAX_VALUE : filter.limit();
    private final int maxItems = relay.bounds().limits().get(Limit.SYNC_ITEMS);
    private final ListItemSet.Builder found = new ListItemSet.Builder();
    private boolean isTooLarge;
    private boolean hasRoom = true;

    @Override
    public boolean take(Event event) {
      if (found.size() >= limit) {
        return false;
      }
      isTooLarge = found.size() >= maxItems;
      if (found.size() % ITEMS_PER_RESERVATION == 0) {
        hasRoom = memory.reserve(BYTES_PER_ITEM * ITEMS_PER_RESERVATION);
      }
      if (isTooLarge || !hasRoom) {
        return false;
      }
      found.add(new Position(event.createdAt(), event.id()));
      return true;
    }

    @Override
    public void complete() {
      if (isTooLarge) {
        fail(
            Reason.blocked("more than " + maxItems + " events match; narrow the filter"), maxItems);
      } else if (!hasRoom) {
        fail(NO_MEMORY, null);
      } else {
        beginAnswers(found);
      }
    }

    @Override
    public void refused(Reason reason) {
      fail(reason, null);
    }
  }

  /** The query of a list has counted as a subscription while it ran; now the sync does. */
  private void beginAnswers(ListItemSet.Builder found) {
    if (!ended && (isSummed || admit(List.of(filter)))) {
      unsorted = found;
      isReady = true;
      if (message != null) {
        answer();
      }
    }
  }

  @Override
  public void receive(byte[] next) {
    if (ended) {
      return;
    }
    if (message != null) {
      fail(Reason.invalid("a message came before the answer to the one before it"), null);
    } else if (!memory.reserve(next.length + MAX_ANSWER_BYTES)) {
      fail(NO_MEMORY, null);
    } else {
      message = next;
      arrivedNanos = System.nanoTime();
      if (isReady) {
        answer();
      }
    }
  }

  private void answer() {
    restart();
    if (!queueFirstTurn()) {
      fail(QueryAdmission.TOO_MANY_QUERIES, null);
    }
  }

  @Override
  public void run() {
    if (isCancelled()) {
      return;
    }
    if (responder == null && !outbox.isRoomy()) {
      outbox.whenRoomy(this);
      return;
    }
    ListItemSet.Builder found = unsorted;
    if (found != null && found.size() > QueryTurns.MAX_EXAMINED && !isScan) {
      isScan = true;
      resume();
      return;
    }
    try {
      if (found != null) {
        items.setListed(found.build());
        unsorted = null;
        memory.release((long) (BYTES_PER_ITEM - BYTES_PER_SORTED_ITEM) * found.size());
      }
      takeTurn();
    } catch (NegentropyException e) {
      failFromTurn(Reason.invalid(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      LOG.error("A sync failed", e);
      failFromTurn(Reason.error("the sync failed"));
    }
  }

  private void takeTurn() throws NegentropyException {
    Responder current = responder;
    if (current == null) {
      byte[] received = message;
      if (received == null) {
        throw new IllegalStateException("a turn without a message");
      }
      current = new Responder(items, received, MAX_ANSWER_BYTES);
      responder = current;
    }
    beginTurn();
    boolean isComplete;
    if (items.needSnapshot()) {
      try (StoreSnapshot snapshot = relay.stored().store().snapshot()) {
        Reason objection =
            items.begin(snapshot, relay.features().guards().partlyHidden(connection).kinds());
        if (objection != null) {
          failFromTurn(objection);
          return;
        }
        isComplete = advance(current, snapshot);
      }
    } else {
      isComplete = advance(current, null);
    }
    if (isComplete) {
      byte[] answer = current.answer();
      reportIfSlow(verb, List.of(filter));
      relay.metrics().syncAnswer.recordSince(arrivedNanos);
      connection.execute(() -> finish(answer));
    } else {
      resume();
    }
  }

  private boolean advance(Responder current, @Nullable StoreSnapshot snapshot)
      throws NegentropyException {
    boolean isComplete = false;
    int cost = 0;
    int ranges = 0;
    while (!isComplete && cost < QueryTurns.MAX_EXAMINED && !isCancelled()) {
      isComplete = current.advance(1);
      ranges++;
      cost = ranges * COST_OF_RANGE;
      if (snapshot != null) {
        cost += items.examined() + (int) snapshot.examined();
      }
    }
    endTurn(cost, 0);
    return isComplete;
  }

  private void finish(byte[] answer) {
    if (!ended && message != null) {
      memory.release(message.length + MAX_ANSWER_BYTES);
      message = null;
      responder = null;
      receiver.answer(answer);
    }
  }

  private void failFromTurn(Reason reason) {
    connection.execute(() -> fail(reason, null));
  }

  private void fail(Reason reason, @Nullable Integer maxItems) {
    if (!ended) {
      close();
      receiver.refused(reason, maxItems);
    }
  }

  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    listing.cancel();
    if (isAdmitted) {
      connection.admission.release(admitted);
    }
    memory.close();
    relay.metrics().syncs.decrementAndGet();
    connection.turns.runCancelled();
  }

  @Override
  public boolean isCancelled() {
    return ended || !connection.isOpen();
  }

  /** The bytes that this sync has reserved of those for all syncs. Thread-safe. */
  private static final class SyncMemory {
    private final SharedBudget all;
    private final Set<Object> owners; // of the connection when the sync begins

    @GuardedBy("this")
    private long held;

    @GuardedBy("this")
    private boolean isClosed;

    SyncMemory(SharedBudget all, Set<Object> owners) {
      this.all = all;
      this.owners = owners;
    }

    /** Reserves bytes; false if there is no room or share, or the sync has ended. */
    synchronized boolean reserve(long bytes) {
      if (isClosed || !all.reserve(owners, bytes)) {
        return false;
      }
      held += bytes;
      return true;
    }

    synchronized void release(long bytes) {
      if (!isClosed) {
        held -= bytes;
        all.release(owners, bytes);
      }
    }

    synchronized void close() {
      if (!isClosed) {
        isClosed = true;
        all.release(owners, held);
      }
    }
  }
}
