package gambit.core.session;

import gambit.core.feature.Tally;
import gambit.core.lane.TurnQueue;
import gambit.core.live.CurrentState;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One COUNT (NIP-45): goes through what its filters find, one filter after the other, and counts
 * each event at the first filter that it matches. Their limits are not looked at. Runs in turns,
 * like a {@link CatchUp}, and in the end answers and gives its place back.
 */
final class CountQuery implements TurnQueue.Task {
  private static final Logger LOG = LoggerFactory.getLogger(CountQuery.class);

  private final Connection connection;
  private final String name;
  private final List<Filter> filters;
  private final List<List<CurrentState>> states;
  private final Set<EventId> counted = new HashSet<>(); // of the states
  private final Tally tally;
  private final RelayCore relay;
  private final QueryTurns turns;
  private final Runnable over;
  private final long upTo;
  private int current;
  private @Nullable Query query;

  /**
   * A count that has not begun.
   *
   * @param states how things are now, among which those are that each filter asks for
   * @param over called once, on any thread, before the answer goes out
   */
  CountQuery(
      Connection connection,
      String name,
      List<Filter> filters,
      List<List<CurrentState>> states,
      Tally tally,
      RelayCore relay,
      QueryTurns turns,
      Runnable over) {
    this.connection = connection;
    this.name = name;
    this.filters = filters;
    this.states = states;
    this.tally = tally;
    this.relay = relay;
    this.turns = turns;
    this.over = over;
    this.upTo = relay.stored().store().lastOffset();
  }

  @Override
  public void run() {
    try {
      turn();
    } catch (RuntimeException e) {
      LOG.error("A count failed", e);
      over.run();
      connection.sendClosed(name, Reason.error("the query failed"));
    }
  }

  @Override
  public boolean isOver() {
    return !connection.isOpen();
  }

  private void turn() {
    int examined = 0;
    while (!isOver() && current < filters.size()) {
      if (examined >= CatchUp.EXAMINED) {
        turns.goOn(this, true);
        return;
      }
      examined += read();
    }
    over.run();
    connection.send(new RelayMessage.Counted(name, tally.count(), tally.sketch()));
  }

  /** Reads a page; returns what it cost. */
  private int read() {
    Filter filter = filters.get(current);
    if (filter.isImpossible()) {
      current++;
      return 0;
    }
    if (query == null) {
      states.get(current).forEach(state -> count(filter, state.draft().unsigned()));
      query = relay.stored().store().query(filter, upTo);
    }
    Page page = query.next(CatchUp.PAGE, CatchUp.AHEAD);
    for (StoredEvent stored : page.found()) {
      if (relay.shows(stored, connection) && !wasCounted(stored)) {
        tally.add(stored.event());
      }
    }
    if (page.isLast()) {
      query = null;
      current++;
    }
    return page.examined();
  }

  /** Counts how something is now, of which there are a few hundred at most. */
  private void count(Filter filter, Event state) {
    if (filter.matches(state)
        && relay.features().guards().mayRead(state, connection)
        && counted.add(state.id())) {
      tally.add(state);
    }
  }

  private boolean wasCounted(StoredEvent stored) {
    return filters.subList(0, current).stream().anyMatch(it -> it.matches(stored.event()));
  }
}
