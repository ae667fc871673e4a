package gambit.core.session;

import gambit.core.feature.ClientSession.RunningQuery;
import gambit.core.feature.EventReceiver;
import gambit.core.feature.EventReceiver.Demand;
import gambit.core.lane.TurnQueue;
import gambit.core.live.CurrentState;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The query of a feature for one client: filter after filter, and each event under the first filter
 * that it matches. It runs in turns like a {@link StoredPhase}. It begins on the connection's event
 * loop; the turns run one at a time on the query lanes.
 */
final class FeatureQuery implements TurnQueue.Task, Outbox.WaitingTask, RunningQuery {
  private static final Logger LOG = LoggerFactory.getLogger(FeatureQuery.class);

  private final ConnectionContext connection;
  private final List<Filter> filters;
  private final EventReceiver receiver;
  private List<List<CurrentState>> states = List.of(); // for each filter, or empty
  private final Set<EventId> takenStates = new HashSet<>();
  private long upTo;
  private int current; // index of the filter
  private @Nullable Query query; // of the current filter, from its first page on
  private Demand demand = Demand.MORE;
  private int sentInTurn; // events after which the receiver asked for room
  private boolean isScan;
  private volatile boolean cancelled;

  FeatureQuery(ConnectionContext connection, List<Filter> filters, EventReceiver receiver) {
    this.connection = connection;
    this.filters = filters;
    this.receiver = receiver;
  }

  /** Begins the query, or refuses it. */
  void begin(boolean withCurrentStates) {
    Reason objection = connection.admission().admit(filters);
    if (objection != null) {
      receiver.refused(objection);
    } else if (!withCurrentStates) {
      start();
    } else if (!connection.relay().live().currentStates(filters, this::startWith)) {
      connection.admission().release(filters);
      receiver.refused(QueryAdmission.BUSY);
    }
  }

  /** On the live lane. */
  private void startWith(List<List<CurrentState>> current) {
    connection.relay().live().assertCurrent();
    states = current;
    start();
  }

  private void start() {
    upTo = connection.relay().stored().store().lastOffset();
    if (!connection.turns().begin(this)) {
      end(() -> receiver.refused(QueryAdmission.TOO_MANY_QUERIES));
    }
  }

  /** Releases what the query has reserved, then calls the receiver on the event loop. */
  private void end(Runnable answer) {
    connection.admission().release(filters);
    connection.client().execute(answer);
  }

  @Override
  public void cancel() {
    cancelled = true;
    connection.turns().runCancelled();
  }

  @Override
  public boolean isCancelled() {
    return cancelled || !connection.client().isOpen();
  }

  @Override
  public void resume() {
    connection.turns().resume(this, isScan);
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
    if (isCancelled()) {
      end(receiver::abandoned);
    } else if (isAtEnd) {
      end(receiver::complete);
    } else if (demand == Demand.MORE_WHEN_ROOMY) {
      connection.outbox().whenRoomy(this);
    } else {
      resume();
    }
  }

  /** Reads the pages of one turn; returns whether the query has no more. */
  private boolean readPages() {
    int examined = 0;
    sentInTurn = 0;
    while (examined < QueryTurns.MAX_EXAMINED
        && !mustWaitForRoom()
        && !isCancelled()
        && !isComplete()) {
      examined += readPage();
    }
    isScan |= examined >= QueryTurns.MAX_EXAMINED;
    return isComplete();
  }

  private boolean isComplete() {
    return demand == Demand.ENOUGH || current == filters.size();
  }

  private boolean mustWaitForRoom() {
    return demand == Demand.MORE_WHEN_ROOMY
        && (sentInTurn >= QueryTurns.PAGE_EVENTS || !connection.outbox().isRoomy());
  }

  /** Reads a page of the current filter; returns its cost. */
  private int readPage() {
    Filter filter = filters.get(current);
    if (filter.isImpossible()) {
      current++;
      return 0;
    }
    if (query == null) {
      takeStates(filter);
      query = connection.relay().stored().store().query(filter, upTo);
    }
    boolean isScarce = demand == Demand.MORE_WHEN_ROOMY && connection.outbox().isScarce();
    Page page = query.next(isScarce ? 1 : QueryTurns.PAGE_EVENTS, QueryTurns.READ_AHEAD_BYTES);
    for (StoredEvent stored : page.found()) {
      if (connection.relay().shows(stored, connection.client()) && !wasTaken(stored.event())) {
        take(stored.event());
      }
    }
    if (page.isLast()) {
      query = null;
      current++;
    }
    return page.examined();
  }

  /** Takes the current states, a few hundred at most. */
  private void takeStates(Filter filter) {
    for (CurrentState state : states.isEmpty() ? List.<CurrentState>of() : states.get(current)) {
      Event event = state.event().unsigned();
      if (filter.matches(event)
          && connection.relay().features().guards().mayRead(event, connection.client())
          && takenStates.add(event.id())) {
        take(event);
      }
    }
  }

  private void take(Event event) {
    if (demand != Demand.ENOUGH) {
      demand = receiver.take(event);
      sentInTurn += demand == Demand.MORE_WHEN_ROOMY ? 1 : 0;
    }
  }

  private boolean wasTaken(Event event) {
    return filters.subList(0, current).stream().anyMatch(it -> it.matches(event));
  }
}
