package gambit.core.replication;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.replication.SimulatedSubscription.Expected;
import gambit.core.store.StoredEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a subscription is to get live: all matching events of the log after an offset, in order. */
final class ExpectedEvents implements Expected {
  private final LogCheck log;
  private final List<StoredEvent> added;
  private final SimulatedSubscription subscription;
  private final long upTo;
  private final Map<EventId, Integer> ephemeral = new HashMap<>();
  private int next;
  private int state;

  /**
   * Expects the events after an offset.
   *
   * @param added all events of the log, which become more
   */
  ExpectedEvents(
      LogCheck log, List<StoredEvent> added, SimulatedSubscription subscription, long upTo) {
    this.log = log;
    this.added = added;
    this.subscription = subscription;
    this.upTo = upTo;
    this.next = firstAfter(upTo);
  }

  @Override
  public void deliver(Event event) {
    if (event.kind() == SimulatedEvents.STATE) {
      int told = LogCheck.count(event);
      LogCheck.require( // a node that has just started may be told of the same state again
          told >= state && told <= log.moves(),
          Invariant.EXACTLY_ONCE_AND_IN_ORDER,
          "%s gets state %d after %d",
          subscription,
          told,
          state);
      state = told;
      return;
    }
    if (Kind.isEphemeral(event.kind())) {
      LogCheck.require(
          ephemeral.merge(event.id(), 1, Integer::sum) <= log.timesPublished(event.id()),
          Invariant.EXACTLY_ONCE_AND_IN_ORDER,
          "%s gets an ephemeral event too often",
          subscription);
      return;
    }
    moveToNext();
    LogCheck.require(
        next < added.size() && added.get(next).event().equals(event),
        Invariant.EXACTLY_ONCE_AND_IN_ORDER,
        "%s, begun at %d, gets another event than the next one in the log: %s instead of %s",
        subscription,
        upTo,
        event.id(),
        next < added.size() ? added.get(next) : "none");
    next++;
  }

  private void moveToNext() {
    while (next < added.size() && !matches(added.get(next).event())) {
      next++;
    }
  }

  @Override
  public boolean isComplete() {
    moveToNext();
    return next == added.size();
  }

  private boolean matches(Event event) {
    return subscription.filters().stream().anyMatch(filter -> filter.matches(event));
  }

  private int firstAfter(long offset) {
    int i = added.size();
    while (i > 0 && added.get(i - 1).offset() > offset) {
      i--;
    }
    return i;
  }
}
