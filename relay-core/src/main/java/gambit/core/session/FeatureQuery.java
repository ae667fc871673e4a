package gambit.core.session;

import gambit.core.feature.ClientSession.EventReceiver;
import gambit.core.feature.ClientSession.RunningQuery;
import gambit.core.live.CurrentState;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The query of a feature for one client: filter after filter, and each event under the first filter
 * that it matches. It runs in turns like a {@link StoredPhase}. It begins on the connection's event
 * loop; the turns run one at a time, on the query lanes or, once it is cancelled, on any thread.
 */
final class FeatureQuery extends QueryTask implements RunningQuery {
  private static final LimitedLog LOG = LimitedLog.of(FeatureQuery.class);

  private final String verb;
  private final List<Filter> filters;
  private final boolean includesStates;
  private final EventReceiver receiver;
  private final AtomicBoolean released = new AtomicBoolean();
  private final Set<EventId> takenStates = new HashSet<>();
  private List<List<CurrentState>> states = List.of(); // for each filter, or empty
  private Iterator<CurrentState> statesLeft = Collections.emptyIterator(); // of the current filter
  private long upTo;
  private int current; // index of the filter
  private @Nullable Query query; // of the current filter, from its first page on
  private boolean hasEnough;
  private int takenInTurn;
  private volatile boolean cancelled;

  FeatureQuery(
      Connection connection,
      String verb,
      List<Filter> filters,
      boolean includesStates,
      EventReceiver receiver) {
    super(connection);
    this.verb = verb;
    this.filters = List.copyOf(filters);
    this.includesStates = includesStates;
    this.receiver = receiver;
  }

  void begin() {
    Reason objection = connection.admission.admit(filters);
    if (objection != null) {
      receiver.refused(objection);
    } else if (!includesStates) {
      start();
    } else if (!relay.live().currentStates(connection.owners(), filters, this::startWith)) {
      release();
      receiver.refused(QueryAdmission.BUSY);
    }
  }

  /** On the live lane. */
  private void startWith(List<List<CurrentState>> current) {
    relay.live().assertCurrent();
    states = current;
    start();
  }

  private void start() {
    upTo = relay.stored().store().lastOffset();
    if (!queueFirstTurn()) {
      end(() -> receiver.refused(QueryAdmission.TOO_MANY_QUERIES));
    }
  }

  /** Releases what the query has reserved, then calls the receiver on the event loop. */
  private void end(Runnable answer) {
    release();
    connection.execute(answer);
  }

  private void release() {
    if (released.compareAndSet(false, true)) {
      connection.admission.release(filters);
    }
  }

  /** Releases at once what the query has reserved, also while it waits for the client. */
  @Override
  public void cancel() {
    cancelled = true;
    release();
    connection.turns.runCancelled();
  }

  @Override
  public boolean isCancelled() {
    return cancelled || !connection.isOpen();
  }

  @Override
  public void run() {
    boolean isAtEnd;
    try {
      isAtEnd = readPages();
    } catch (RuntimeException e) {
      LOG.error("The query of a feature failed", e);
      end(() -> receiver.refused(Reason.error("the query failed")));
      return;
    }
    if (isCancelled() || isAtEnd) {
      reportIfSlow(verb, filters);
      end(isCancelled() ? receiver::abandoned : receiver::complete);
    } else {
      resume();
    }
  }

  /** Reads the states and pages of one turn; returns whether the query has no more. */
  private boolean readPages() {
    int examined = 0;
    takenInTurn = 0;
    beginTurn();
    while (examined < QueryTurns.MAX_EXAMINED
        && mayExamineState()
        && !isCancelled()
        && !isComplete()) {
      Query pages = query;
      if (pages == null) {
        beginFilter(filters.get(current));
      } else if (statesLeft.hasNext()) {
        examine(statesLeft.next());
      } else {
        examined += readPage(pages);
      }
    }
    endTurn(examined, takenInTurn);
    return isComplete();
  }

  private boolean isComplete() {
    return hasEnough || current == filters.size();
  }

  private void beginFilter(Filter filter) {
    if (filter.isImpossible()) {
      current++;
      return;
    }
    query = relay.stored().store().query(filter, upTo);
    statesLeft = states.isEmpty() ? Collections.emptyIterator() : states.get(current).iterator();
  }

  private void examine(CurrentState state) {
    Event event = state.event().unsigned();
    if (filters.get(current).matches(event)
        && relay.features().guards().mayRead(event, connection)
        && takenStates.add(event.id())) {
      take(event);
    }
    stateExamined();
  }

  /** Reads a page of the current filter; returns its cost. */
  private int readPage(Query pages) {
    long start = System.nanoTime();
    Page page = pages.next(QueryTurns.PAGE_EVENTS, QueryTurns.READ_AHEAD_BYTES);
    relay.metrics().page.recordSince(start);
    Instant now = relay.now();
    for (StoredEvent stored : page.found()) {
      if (relay.shows(stored, connection, now)
          && filters.subList(0, current).stream().noneMatch(it -> it.matches(stored.event()))) {
        take(stored.event());
      }
    }
    if (page.isLast()) {
      query = null;
      current++;
    }
    return page.examined();
  }

  private void take(Event event) {
    if (!hasEnough && !isCancelled()) {
      hasEnough = !receiver.take(event);
      takenInTurn++;
    }
  }
}
