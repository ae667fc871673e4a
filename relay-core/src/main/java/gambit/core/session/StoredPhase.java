package gambit.core.session;

import gambit.core.live.CurrentState;
import gambit.core.log.LimitedLog;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import gambit.core.wire.RelayMessage.Completeness;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends what one subscription receives before EOSE: stored events and current states, the results
 * of its filters merged newest first without repeats, of each filter up to its own limit (NIP-01).
 * The results of searches (NIP-50) come first, filter by filter, the best match first. Runs in
 * turns on the query lanes ({@link QueryTurns}), bounded by what they read, sign and send; between
 * turns it waits until the client has taken what was sent.
 */
final class StoredPhase extends QueryTask {
  private static final LimitedLog LOG = LimitedLog.of(StoredPhase.class);

  /** Events are written in portions of this size, while further ones are read. */
  private static final int FLUSHED_BYTES = 64 * 1024;

  private final Subscription subscription;
  private final List<FilterResults> results;
  private final Set<EventId> sentOfSearches;
  private long shownUpTo; // offset of the newest commit that what was read may show
  private int unflushedBytes;

  /** Prepares the first turn; {@code found} has the events of each search, else null. */
  StoredPhase(
      Connection connection,
      Subscription subscription,
      long upTo,
      List<List<CurrentState>> states,
      List<@Nullable Query> found) {
    super(connection);
    this.subscription = subscription;
    List<Filter> filters = subscription.filters();
    this.sentOfSearches = found.stream().allMatch(Objects::isNull) ? Set.of() : new HashSet<>();
    this.results = new ArrayList<>(filters.size());
    for (int i = 0; i < filters.size(); i++) {
      results.add(
          new FilterResults(this, subscription, filters.get(i), states.get(i), found.get(i), upTo));
    }
  }

  @Override
  public void run() {
    try {
      takeTurn();
    } catch (RuntimeException e) {
      LOG.error("A query failed; its subscription is closed", e);
      drop();
      subscription.fail(Reason.error("the query failed"));
    }
  }

  private void takeTurn() {
    if (isCancelled()) {
      drop();
      reportIfSlow("REQ", subscription.filters());
      return;
    }
    beginTurn();
    dropRemoved();
    int sent = 0;
    int examined = 0;
    while (sent < QueryTurns.TURN_EVENTS
        && examined < QueryTurns.MAX_EXAMINED
        && mayExamineState()
        && outbox.isRoomy()
        && !isCancelled()) {
      FilterResults unknown = firstUnknown();
      if (unknown != null) {
        examined += unknown.read();
        shownUpTo = relay.stored().store().lastOffset();
        continue;
      }
      Event next = next();
      if (next == null) {
        endTurn(examined, sent);
        end();
        return;
      }
      send(next);
      sent++;
    }
    endTurn(examined, sent);
    outbox.flush();
    outbox.whenRoomy(this);
  }

  /** Drops what was read in an earlier turn and may not be sent any more. */
  private void dropRemoved() {
    boolean hasDropped = false;
    for (FilterResults result : results) {
      hasDropped |= result.beginTurn();
    }
    if (hasDropped) {
      shownUpTo = relay.stored().store().lastOffset();
    }
  }

  /** Has EOSE sent, in one write with the last events unless it must wait for a commit. */
  private void end() {
    var eose = new RelayMessage.EndOfStored(subscription.id(), completeness());
    reportIfSlow("REQ", subscription.filters());
    if (!relay.live().hasReleased(shownUpTo)) {
      outbox.flush();
    }
    relay.live().caughtUp(subscription, shownUpTo, eose, this::replacesUnsent);
  }

  void drop() {
    results.forEach(FilterResults::drop);
  }

  /**
   * Whether a live event may be sent before EOSE in the place of a stored one that it replaced
   * before a page could return it: it has an address, and a filter that it matches has not reached
   * its limit. On the live lane, after the last page.
   */
  private boolean replacesUnsent(Event live) {
    relay.live().assertCurrent();
    if (Address.of(live).isPresent()) {
      for (FilterResults result : results) {
        if (result.makesRoomFor(live)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public boolean isCancelled() {
    return subscription.isClosed() || !outbox.isOpen();
  }

  /**
   * Whether every stored event that matches has been sent (NIP-67), or null if hints are off or it
   * is unknown: a filter that has reached its limit is queried further, up to the next event that
   * the client may read. Filters that may match guarded events are not: result and duration would
   * reveal them. Of searches it is unknown, because they find a limited number.
   */
  private @Nullable Completeness completeness() {
    if (!relay.features().hintsCompleteness()
        || results.stream().anyMatch(it -> it.hasReplacedStored || it.isSearch)) {
      return null;
    }
    boolean all = true;
    int examined = 0;
    for (FilterResults result : results) {
      boolean open = !relay.features().guards().mayGuard(result.filter);
      int events = 1; // enough, unless another filter finds it or it is not served
      while (open && !result.isLastPageRead && examined < QueryTurns.MAX_EXAMINED) {
        Page page = result.nextPage(events);
        events = Math.min(2 * events, QueryTurns.PAGE_EVENTS);
        shownUpTo = relay.stored().store().lastOffset();
        examined += page.examined();
        Instant now = relay.now();
        for (StoredEvent stored : page.found()) {
          if (relay.shows(stored, connection, now)) {
            if (isOnlyFor(result, stored)) {
              return Completeness.MORE;
            }
            all = false;
          }
        }
      }
      all &= result.isLastPageRead && (open || !result.hasReachedLimit());
    }
    return all ? Completeness.FINISH : null;
  }

  /** Whether no other filter may have found the event before. */
  private boolean isOnlyFor(FilterResults result, StoredEvent stored) {
    return results.stream().noneMatch(it -> it != result && it.filter.matches(stored.event()));
  }

  /** A filter whose next event must be read before events can be merged. */
  private @Nullable FilterResults firstUnknown() {
    for (FilterResults result : results) {
      if (result.isNextUnknown()) {
        return result;
      }
    }
    return null;
  }

  /** The next event of a search, else the first of the filters' next events; null at the end. */
  private @Nullable Event next() {
    Event first = null;
    for (FilterResults result : results) {
      Event next = result.next();
      if (next != null && result.isSearch) {
        return next;
      }
      if (next != null && (first == null || Event.SERVING_ORDER.compare(next, first) < 0)) {
        first = next;
      }
    }
    return first;
  }

  /**
   * Takes an event from the results of every filter whose next one it is, and sends it once: not
   * again if it was sent as the result of a search.
   */
  private void send(Event event) {
    boolean isRepeat = sentOfSearches.contains(event.id());
    ReservedFrame frame = null;
    for (FilterResults result : results) {
      if (event.equals(result.next())) {
        if (result.isSearch) {
          sentOfSearches.add(event.id());
        }
        ReservedFrame taken = result.take();
        if (frame == null) {
          frame = taken;
        } else if (taken != null) {
          outbox.unreserve(taken);
        }
      }
    }
    if (frame != null && isRepeat) {
      outbox.unreserve(frame);
    } else if (frame != null) {
      outbox.queueReserved(frame);
      unflushedBytes += frame.frame().length();
      if (unflushedBytes >= FLUSHED_BYTES) {
        outbox.flush();
        unflushedBytes = 0;
      }
    }
  }
}
