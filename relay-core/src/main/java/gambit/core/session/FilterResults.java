package gambit.core.session;

import gambit.core.crypto.LazilySignedEvent;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.live.CurrentState;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.RecentRemovals;
import gambit.core.store.StoredEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of one filter of a subscription, newest first, up to the filter's limit: stored
 * events, read ahead page by page, merged with the current states that match. Those of a filter
 * with {@code search} are events that were found, the best match first. Confined to the turns of a
 * {@link StoredPhase} and, after the last one, to the live lane.
 */
final class FilterResults {
  private final StoredPhase phase;
  private final RelayCore relay;
  private final Connection client;
  private final Outbox outbox;
  private final Subscription subscription;
  final Filter filter;
  private final long upTo;
  final boolean isSearch;
  private @Nullable Query query; // from the first page on
  private final Deque<ReadAhead> readAhead = new ArrayDeque<>();
  private Iterator<CurrentState> candidates; // states that have not been examined
  private final Deque<LazilySignedEvent> states =
      new ArrayDeque<>(0); // sorted once all are examined
  private int wanted; // of the limit, what is neither taken nor read ahead
  boolean isLastPageRead;
  boolean isExhausted; // whether no stored event will be read any more
  boolean hasReplacedStored; // by a current state
  private long removalsSeen; // removals that were counted before the pages of this turn were read

  /** A stored event that was read; its frame is reserved in the outbox. */
  private record ReadAhead(StoredEvent stored, ReservedFrame frame) {}

  /** The results of a filter; if it searches, of the events that were found, else null. */
  FilterResults(
      StoredPhase phase,
      Subscription subscription,
      Filter filter,
      List<CurrentState> states,
      @Nullable Query found,
      long upTo) {
    this.phase = phase;
    this.relay = phase.relay;
    this.client = phase.connection;
    this.outbox = phase.outbox;
    this.subscription = subscription;
    this.filter = filter;
    this.isSearch = found != null;
    this.query = found;
    this.upTo = upTo;
    LimitValues limits = relay.bounds().limits();
    long defaultLimit = client.isOperator() ? Integer.MAX_VALUE : limits.get(Limit.DEFAULT_LIMIT);
    long maxLimit = client.isOperator() ? Integer.MAX_VALUE : limits.get(Limit.MAX_LIMIT);
    long limit = filter.limit() == null ? defaultLimit : filter.limit();
    this.wanted = (int) Math.min(limit, maxLimit);
    this.isLastPageRead = filter.isImpossible();
    this.isExhausted = isLastPageRead || wanted == 0;
    this.candidates = isExhausted || isSearch ? Collections.emptyIterator() : states.iterator();
  }

  boolean hasReachedLimit() {
    return wanted == 0;
  }

  Page nextPage(int maxEvents) {
    if (query == null) {
      query = relay.stored().store().query(filter, upTo);
    }
    int bytes = QueryTurns.READ_AHEAD_BYTES / subscription.filters().size();
    long start = System.nanoTime();
    Page page = query.next(maxEvents, bytes);
    relay.metrics().page.recordSince(start);
    isLastPageRead = page.isLast();
    return page;
  }

  /** Whether {@link #read} must be called before the next event is known. */
  boolean isNextUnknown() {
    return candidates.hasNext() || (readAhead.isEmpty() && !isExhausted);
  }

  int read() {
    if (candidates.hasNext()) {
      examineStates();
      return 0;
    }
    return readPage(outbox.isScarce() ? 1 : QueryTurns.PAGE_EVENTS);
  }

  /** Reads a page, and reserves its frames; returns the cost. */
  private int readPage(int maxEvents) {
    Page page = nextPage(Math.min(wanted, maxEvents));
    Instant now = relay.now();
    for (StoredEvent stored : page.found()) {
      ReservedFrame frame =
          relay.shows(stored, client, now)
              ? outbox.reserve(subscription.frameOf(stored.event()))
              : null;
      if (frame != null) {
        readAhead.add(new ReadAhead(stored, frame));
        wanted--;
      }
    }
    updateExhausted();
    return page.examined();
  }

  /** Takes matching states, newest first, until the budget of the turn is spent. */
  private void examineStates() {
    List<LazilySignedEvent> found = new ArrayList<>(states);
    while (phase.mayExamineState() && candidates.hasNext() && found.size() < wanted) {
      LazilySignedEvent candidate = candidates.next().event();
      Event event = candidate.unsigned();
      if (filter.matches(event) && relay.features().guards().mayRead(event, client)) {
        found.add(candidate);
      }
      phase.stateExamined();
    }
    if (!candidates.hasNext() || found.size() == wanted) {
      candidates = Collections.emptyIterator(); // releases the list
    }
    found.sort(Comparator.comparing(LazilySignedEvent::unsigned, Event.SERVING_ORDER));
    states.clear();
    states.addAll(found);
  }

  /** The next event, which stays; null if there is none. */
  @Nullable Event next() {
    LazilySignedEvent state = states.peekFirst();
    ReadAhead head = readAhead.peekFirst();
    Event stored = head == null ? null : head.stored.event();
    if (state == null) {
      return stored;
    }
    Event event = state.unsigned();
    return stored == null || Event.SERVING_ORDER.compare(event, stored) < 0 ? event : stored;
  }

  /** Removes the next event and returns its frame; null if the client is being disconnected. */
  @Nullable ReservedFrame take() {
    ReadAhead head = readAhead.peekFirst();
    ReservedFrame frame;
    if (head != null && head.stored.event().equals(next())) {
      readAhead.removeFirst();
      frame = head.frame;
    } else {
      frame = takeState();
    }
    if (wanted == 0 && readAhead.isEmpty()) {
      states.clear();
    }
    return frame;
  }

  private @Nullable ReservedFrame takeState() {
    if (wanted > 0) {
      wanted--;
      updateExhausted();
    } else {
      outbox.unreserve(readAhead.removeLast().frame);
      hasReplacedStored = true;
    }
    phase.stateSigned();
    return outbox.reserve(subscription.frameOf(states.removeFirst().signed()));
  }

  /**
   * Uses up one of the limit for a live event that matches; false if the limit is reached, and for
   * a search, among whose results a live event has no place.
   */
  boolean makesRoomFor(Event live) {
    if (!isSearch && wanted > 0 && filter.matches(live)) {
      wanted--;
      return true;
    }
    return false;
  }

  /**
   * Begins a turn: drops events that were read in an earlier one and have been removed since, or
   * may not be shown any more. Returns whether there were any.
   */
  boolean beginTurn() {
    RecentRemovals removals = relay.stored().store().recentRemovals();
    long count = removals.count();
    boolean hasDropped = false;
    if (!readAhead.isEmpty()) {
      long @Nullable [] removed = removals.since(removalsSeen);
      Instant now = relay.now();
      hasDropped =
          readAhead.removeIf(head -> !isStillServed(head.stored, removed, now) && drop(head));
      updateExhausted();
    }
    removalsSeen = count;
    return hasDropped;
  }

  /** Whether an event is shown now, given the removals since its page, or null if too many. */
  private boolean isStillServed(StoredEvent stored, long @Nullable [] removed, Instant now) {
    boolean isStored =
        removed == null
            ? relay.stored().store().byOffset(stored.offset()).isPresent()
            : Arrays.binarySearch(removed, stored.offset()) < 0;
    return isStored && relay.shows(stored, client, now);
  }

  /** Releases an event that is not sent; always true. */
  private boolean drop(ReadAhead head) {
    outbox.unreserve(head.frame);
    wanted++;
    return true;
  }

  private void updateExhausted() {
    isExhausted = isLastPageRead || wanted == 0;
  }

  void drop() {
    readAhead.forEach(head -> outbox.unreserve(head.frame));
    readAhead.clear();
  }
}
